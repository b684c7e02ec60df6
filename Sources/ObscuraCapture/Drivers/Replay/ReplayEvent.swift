// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// One thing that happens in a replay.
public struct ReplayEvent: Sendable {
    /// What can happen.
    public enum Kind: Sendable {
        /// A frame comes.
        case frame(PixelBuffer)
        /// A compressed frame comes.
        case encoded(EncodedFrame)
        /// A frame comes that the device flags as broken.
        case brokenFrame
        /// The driver loses so many frames: the numbers of the following ones jump.
        case gap(UInt64)
        /// The driver's stamps jump by so much from here on.
        case clockJump(Duration)
        /// The device gives no frames; the next frame ends it.
        case stall
        /// The device is unplugged; the next frame is of the device that came back.
        case unplug
        /// The device fails for good.
        case error(ObscuraError)
        /// The stream is at its end.
        case end
    }

    /// When, from the start of the run.
    public var time: Duration
    /// What happens.
    public var kind: Kind

    /// Something that happens at a time, counted from the start of the run.
    public init(at time: Duration, _ kind: Kind) {
        self.time = time
        self.kind = kind
    }

    /// `count` frames at a steady rate, from `begin` on.
    public static func frames(
        _ count: Int, of picture: PixelBuffer, at frameRate: FrameRate, from begin: Duration = .zero
    ) -> [ReplayEvent] {
        (0..<max(0, count)).map { index in
            ReplayEvent(at: begin + (frameRate.frameDuration * Int64(index)).duration, .frame(picture))
        }
    }
}
