// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPipeWire
internal import ObscuraMedia

/// A filled buffer with its metadata.
struct PipeWireDelivery {
    /// The lease; its release returns the buffer to the producer.
    let lease: PipeWireLease
    /// The number of buffers that the producer can still fill.
    let buffersLeft: Int
    /// The producer's number of the frame; nil if it does not number its frames.
    let sequence: UInt64?
    /// The capture time; nil if the producer does not report it.
    let stamp: HostTime?
    /// Whether the producer reports the frame as damaged.
    let isBroken: Bool
    /// Where the frame lies in its memory.
    let areas: PipeWireAreas
    /// The part of the frame to show; nil for all of it.
    let crop: PixelRect?
    /// The rotation and mirroring that make the frame upright.
    let transform: PipeWireTransform
    /// The position of the node's clock, for sound; nil if it has none.
    let clock: PipeWireClock?

    init(_ frame: OPWFrame, areas: PipeWireAreas, lease: PipeWireLease, buffersLeft: Int) {
        self.areas = areas
        self.lease = lease
        self.buffersLeft = buffersLeft
        sequence = frame.hasHeader ? frame.sequence : nil
        stamp = frame.time > 0 ? HostTime(nanoseconds: frame.time) : nil
        isBroken = frame.isCorrupted
        crop =
            frame.hasCrop
            ? PixelRect(
                x: Int(frame.cropX), y: Int(frame.cropY), width: Int(frame.cropWidth), height: Int(frame.cropHeight))
            : nil
        transform = PipeWireTransform(rawValue: frame.transform)
        clock = PipeWireClock(frame)
    }
}

/// Where a frame lies in the memory of its buffer. A stream makes one for all frames that lie there in the same way.
final class PipeWireAreas: Sendable {
    /// The range of the bytes in each memory area, within what is mapped.
    let contents: [Range<Int>]
    /// The bytes per row in each memory area; 0 if unknown.
    let strides: [Int]

    init(_ frame: OPWFrame) {
        let planes = withUnsafePointer(to: frame) { pointer in
            (0..<frame.planeCount).map { OPWFramePlane(pointer, $0) }
        }
        contents = planes.map { Int($0.offset)..<Int($0.offset) + Int($0.size) }
        strides = planes.map { max(0, Int($0.stride)) }
    }
}

/// The time of the graph when a buffer of sound arrived.
struct PipeWireClock: Sendable, Hashable {
    /// The time at which the clock showed `ticks`.
    let time: HostTime
    /// The position of the clock, in sample frames of the graph; it increases while the graph runs, also when buffers
    /// are lost.
    let ticks: UInt64
    /// The age of the first sample at that time, in ticks.
    let delay: Int64
    /// Ticks per second.
    let rate: Int
    /// The number of buffers that had arrived after this one. The clock is that of the last one.
    let pending: Int

    /// The largest plausible delay, in seconds.
    private static let delayLimit: Int64 = 10

    /// Returns the delay in frames of a rate, in hertz. Another process sets the delay, so it is limited to 10 s.
    func delay(at sampleRate: Int) -> Int {
        let rate = Int64(max(1, self.rate))
        let limit = Self.delayLimit * rate
        return Int(min(max(delay, -limit), limit) * Int64(sampleRate) / rate)
    }
}

extension PipeWireClock {
    init?(_ frame: OPWFrame) {
        guard frame.clockTime > 0, frame.tickRate.numerator > 0, frame.tickRate.denominator > 0 else { return nil }
        time = HostTime(nanoseconds: frame.clockTime)
        ticks = frame.ticks
        delay = frame.delay
        // The fraction is the duration of a tick in seconds.
        rate = Int(frame.tickRate.denominator / frame.tickRate.numerator)
        pending = Int(frame.pending)
    }
}
