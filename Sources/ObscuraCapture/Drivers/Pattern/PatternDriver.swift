// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// The test-pattern camera: a moving scene with a readable frame counter and clock.
///
/// The camera behaves like hardware. The session's clock determines when each frame is due, and the timestamp of the
/// frame is its due time. If readers block the camera for more than a second, frames are lost and the sequence numbers
/// have a gap. If ``isLive`` is false, frames are delivered as fast as readers take them.
public struct PatternDriver: CaptureDriver {
    /// The unique id, such as `pattern` or `pattern:640x480@30`.
    public let uniqueID: String
    /// The display name.
    public let localizedName: String
    /// The modes of the camera, the default mode first.
    public let formats: [VideoFormat]
    /// Whether frames are delivered at the frame rate. If false, frames are delivered as fast as readers take them.
    public let isLive: Bool
    /// The position that the camera reports, such as front.
    public let position: CaptureDevice.Position

    /// Creates a camera.
    ///
    /// - Parameters:
    ///   - size: the frame size. With nil the camera has modes of four sizes, from 1280x720 to 320x240.
    ///   - frameRate: the frame rate. With nil the rate is 30 frames per second; if `size` is nil as well, each size
    ///     also has a mode with 60 frames per second.
    ///   - isLive: whether frames are delivered at the frame rate. If false, frames are delivered as fast as readers
    ///     take them.
    ///   - position: the position that the camera reports.
    ///   - name: the first part of the unique id, which distinguishes the test-pattern cameras of a session.
    public init(
        size: PixelSize? = nil, frameRate: FrameRate? = nil, isLive: Bool = true,
        position: CaptureDevice.Position = .unspecified, name: String = "pattern"
    ) {
        // Larger scenes cost more to draw, and are available by their size.
        let usual = [(1280, 720), (640, 480), (640, 360), (320, 240)]
        let sizes = size.map { [$0] } ?? usual.map { PixelSize(width: $0.0, height: $0.1) }
        let rate = frameRate ?? FrameRate(30)
        let rates = size == nil && frameRate == nil ? [rate, FrameRate(60)] : [rate]
        formats = sizes.flatMap { size in
            rates.map { VideoFormat(pixelFormat: .i420, width: size.width, height: size.height, frameRate: $0) }
        }
        self.isLive = isLive
        self.position = position
        uniqueID = size.map { "\(name):\($0)@\(rate)" } ?? name
        localizedName = "Test pattern" + (name == "pattern" ? "" : " (\(name))")
    }

    /// Creates a run of the camera: the delivery of frames from a start to a stop.
    public func makeRun(
        _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        PatternRun(format: request.videoFormat ?? formats[0], isLive: isLive, sink: sink, clock: clock)
    }
}

/// A run of the test-pattern camera, which draws and delivers frames on a thread of its own.
final class PatternRun: ThreadedRun {
    private let format: VideoFormat
    private let isLive: Bool
    private let sink: any CaptureSink
    private let clock: any CaptureClock
    let thread = RunThread()

    init(format: VideoFormat, isLive: Bool, sink: any CaptureSink, clock: any CaptureClock) {
        self.format = format
        self.isLive = isLive
        self.sink = sink
        self.clock = clock
    }

    func start() throws -> SourceFormat {
        let scene = try PatternScene(size: format.size)
        try thread.start(name: "pattern", subject: "pattern") { [self] in run(scene) }
        return SourceFormat(video: format)
    }

    private func run(_ scene: PatternScene) {
        let interval = (format.frameRate ?? FrameRate(30)).frameDuration
        let begin = clock.now
        var sequence: UInt64 = 0
        while true {
            let due = begin + (interval * Int64(sequence)).duration
            if isLive {
                guard clock.wait(until: due, unless: thread.cancellation) else { return }
                // Frames not consumed for a second are lost, as in a camera.
                let late = clock.now - due
                let missed = late.wholeNanoseconds / max(1, interval.nanoseconds)
                if late > .seconds(1), missed > 0 {
                    sequence += UInt64(missed)
                    continue
                }
            }
            if thread.cancellation.isCancelled { return }
            let time = interval * Int64(sequence)
            let stamp = isLive ? due : clock.now
            let isFlashing = PatternScene.isFlashing(
                at: isLive ? stamp.mediaTime : time, frameDuration: interval)
            // Drawing fails while readers hold all frames of the pool. A live camera continues, which leaves a gap.
            if let picture = try? scene.draw(
                sequence: sequence, time: time, isFlashing: isFlashing, in: sink.pool)
            {
                sink.receive(
                    VideoFrame(
                        buffer: picture, presentationTime: isLive ? stamp.mediaTime : time, hostTime: stamp,
                        duration: interval, sequence: sequence),
                    buffersLeft: nil)
            } else if !isLive, !clock.wait(until: clock.now + .milliseconds(1), unless: thread.cancellation) {
                return
            } else if !isLive {
                continue
            }
            sequence += 1
        }
    }
}
