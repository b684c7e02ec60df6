// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A frame rate of a format. Cameras on Linux list single frame rates, so the lowest and the highest rate are equal.
public final class AVFrameRateRange: NSObject, Sendable {
    private let rate: FrameRate

    init(_ rate: FrameRate) { self.rate = rate }

    /// The lowest frame rate, in frames per second.
    public var minFrameRate: Float64 { rate.framesPerSecond }
    /// The highest frame rate, in frames per second.
    public var maxFrameRate: Float64 { rate.framesPerSecond }
    /// The shortest time between two frames, in seconds.
    public var minFrameDuration: CMTime { CMTime(rate.frameDuration) }
    /// The longest time between two frames, in seconds.
    public var maxFrameDuration: CMTime { CMTime(rate.frameDuration) }

    override public func isEqual(_ object: Any?) -> Bool { (object as? AVFrameRateRange)?.rate == rate }

    override public var hash: Int { rate.hashValue }

    override public var description: String { "<AVFrameRateRange \(rate)>" }
}
