// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreMedia

/// The parts of a time, because equal times can differ in them.
struct Parts: Equatable, Sendable {
    var value: Int64
    var timescale: Int32
    var isRounded: Bool
    var epoch: Int64
    var isNumeric = true
}

extension CMTime {
    var parts: Parts {
        Parts(value: value, timescale: timescale, isRounded: hasBeenRounded, epoch: epoch, isNumeric: isNumeric)
    }
}

/// The parts of a numeric time.
func parts(_ value: Int64, _ timescale: Int32, isRounded: Bool = false, epoch: Int64 = 0) -> Parts {
    Parts(value: value, timescale: timescale, isRounded: isRounded, epoch: epoch)
}

/// A numeric time.
func time(_ value: Int64, _ timescale: Int32, isRounded: Bool = false, epoch: Int64 = 0) -> CMTime {
    CMTime(
        value: value, timescale: timescale, flags: isRounded ? [.valid, .hasBeenRounded] : .valid, epoch: epoch)
}

/// A range of numeric times, in seconds.
func range(_ start: Int64, _ duration: Int64, epoch: Int64 = 0) -> CMTimeRange {
    CMTimeRange(start: time(start, 1, epoch: epoch), duration: time(duration, 1))
}

/// A generator with a fixed seed (SplitMix64), so that a failure can be repeated.
struct FixedGenerator: RandomNumberGenerator {
    private var state: UInt64 = 0x0B5C_08A2

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A value of any size: small ones are as frequent as large ones.
    mutating func value() -> Int64 {
        Int64.random(in: .min ... .max, using: &self) >> Int64.random(in: 0...63, using: &self)
    }

    /// A timescale of any size.
    mutating func timescale() -> Int32 {
        max(1, Int32.random(in: 1 ... .max, using: &self) >> Int32.random(in: 0...30, using: &self))
    }

    mutating func time() -> CMTime { CMTime(value: value(), timescale: timescale()) }
}
