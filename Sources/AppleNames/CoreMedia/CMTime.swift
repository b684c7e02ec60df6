// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

@_exported public import CoreVideo
package import Obscura

/// The numerator of a time.
public typealias CMTimeValue = Int64
/// The denominator of a time, in units per second.
public typealias CMTimeScale = Int32
/// The number of a timeline; times of different epochs have no common zero.
public typealias CMTimeEpoch = Int64

/// The kind of a time, and whether it was rounded.
public struct CMTimeFlags: OptionSet, Sendable, Hashable {
    /// The bits of the flags.
    public let rawValue: UInt32

    /// Creates flags.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The time is valid. Without this flag, all other flags have no meaning.
    public static let valid = CMTimeFlags(rawValue: 1)
    /// The time, or one that it was calculated from, was rounded.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
    /// After all numeric times.
    public static let positiveInfinity = CMTimeFlags(rawValue: 4)
    /// Before all numeric times.
    public static let negativeInfinity = CMTimeFlags(rawValue: 8)
    /// Unknown.
    public static let indefinite = CMTimeFlags(rawValue: 16)
    /// The flags of times that are not numeric.
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// A time as a fraction: `value / timescale` seconds; or invalid, indefinite, or infinite.
public struct CMTime: Sendable {
    /// The numerator.
    public var value: CMTimeValue
    /// The denominator, in units per second.
    public var timescale: CMTimeScale
    /// The kind of the time.
    public var flags: CMTimeFlags
    /// The number of the timeline.
    public var epoch: CMTimeEpoch

    /// Creates an invalid time.
    public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

    /// Creates a time, without validation.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// An invalid time.
    public static let invalid = CMTime()
    /// An unknown time, such as the duration of a live stream.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// A time after all numeric ones.
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// A time before all numeric ones.
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
    /// The time 0/1.
    public static let zero = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 0)

    /// Whether the time is valid.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether the time is positive infinity.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    /// Whether the time is negative infinity.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    /// Whether the time is unknown.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// Whether the time is numeric: valid, not infinite, and not indefinite.
    public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }
    /// Whether the time, or one that it was calculated from, was rounded.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }
}

extension CMTime {
    /// Creates a numeric time.
    package init(_ time: MediaTime) {
        self.init(value: time.value, timescale: time.timescale, flags: .valid, epoch: 0)
    }

    /// The same time as a `MediaTime`; nil if the time is not numeric, or its timescale is not valid.
    package var mediaTime: MediaTime? {
        isNumeric && timescale > 0 ? MediaTime(value: value, timescale: timescale) : nil
    }
}
