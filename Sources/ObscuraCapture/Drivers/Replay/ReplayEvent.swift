// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// An event in the script of a ``ReplayDriver``.
public struct ReplayEvent: Sendable {
    /// The kind of an event.
    public enum Kind: Sendable {
        /// The device delivers a frame.
        case frame(PixelBuffer)
        /// The device delivers a compressed frame.
        case encoded(EncodedFrame)
        /// The device delivers a frame that it flags as damaged.
        case brokenFrame
        /// The driver loses this number of frames: the sequence numbers have a gap.
        case gap(UInt64)
        /// The timestamps of all later frames are shifted by this duration.
        case clockJump(Duration)
        /// The device stops delivering frames. The session reports an interruption until the next frame of the script.
        case stall
        /// The device is unplugged. The next frame of the script comes from the reconnected device.
        case unplug
        /// The device fails permanently.
        case error(ObscuraError)
        /// The stream ends.
        case end
    }

    /// The time of the event, from the start of the run.
    public var time: Duration
    /// The kind of the event.
    public var kind: Kind

    /// Creates an event at a time from the start of the run.
    public init(at time: Duration, _ kind: Kind) {
        self.time = time
        self.kind = kind
    }

    /// Returns events that deliver the same frame `count` times at a constant rate, the first at the time `begin`.
    public static func frames(
        _ count: Int, of picture: PixelBuffer, at frameRate: FrameRate, from begin: Duration = .zero
    ) -> [ReplayEvent] {
        (0..<max(0, count)).map { index in
            ReplayEvent(at: begin + (frameRate.frameDuration * Int64(index)).duration, .frame(picture))
        }
    }
}
