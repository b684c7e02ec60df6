// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraCapture
public import ObscuraMedia

/// An export that reads frames from a device and passes them to a ``FrameWriter``.
///
/// ```swift
/// let film = try CaptureDevice.named("film.mp4", reading: reading)
/// let writer = try FrameSequenceWriter(FramePathPattern("frames/%06d.jpg"), encoding: .jpeg())
/// let report = await FrameExport(from: film, to: writer).run()
/// ```
///
/// A movie that is read with the pace `lossless` loses no frames: the reading waits while the writer is full. Frames of
/// a live source that arrive while the writer is full are dropped, and counted as late. Frames that are skipped
/// (``Settings/frameStride``, ``Settings/interval``) are never converted.
///
/// Thread-safe. An export can run only once.
public final class FrameExport: Sendable {
    /// The settings of an export: which frames are written, and how they are converted.
    public struct Settings: Sendable, Hashable {
        /// Size, pixel format, rotation and mirroring of the frames. By default, frames are only rotated upright.
        public var image = ImageRequest()
        /// The step from one written frame to the next: 1 writes every frame; 3 writes every third frame, beginning
        /// with the first.
        public var frameStride = 1
        /// The minimum time between two written frames; nil for no minimum.
        public var interval: MediaTime?
        /// The maximum number of frames; nil for no limit.
        public var count: Int?
        /// The maximum duration, measured in presentation times from the first written frame; nil for no limit.
        public var duration: MediaTime?
        /// The time that the device runs before the first frame is written, so that a camera can adjust its exposure;
        /// nil for no delay.
        public var delay: Duration?
        /// The preset that selects the mode of a device with several modes.
        public var preset = CaptureSession.Preset.high
        /// Whether the export waits for a device that is not available; see
        /// ``CaptureDeviceInput/startsWhenAvailable``.
        public var startsWhenAvailable = false

        /// Creates settings with which every frame is written, upright and otherwise unchanged.
        public init() {}
    }

    /// The reason why an export ended.
    public enum Ending: Sendable {
        /// The source has ended.
        case sourceEnded
        /// ``Settings/count`` or ``Settings/duration`` was reached.
        case limitReached
        /// ``FrameExport/stop()`` was called.
        case stopped
        /// The source or the writer failed; frames already written are complete.
        case failed(ObscuraError)
    }

    struct State {
        var ending: Ending?
        /// The time of the stop request; nil before it.
        var stopped: HostTime?
        var taken = 0
        var first: MediaTime?
        var last: MediaTime?
        var begin: HostTime?
        var format: VideoFormat?
    }

    let session: CaptureSession
    let state = Lock(State())
    let writer: any FrameWriter
    private let device: CaptureDevice
    private let settings: Settings
    private let output: VideoDataOutput
    /// The writer if it has a queue; nil for a caller's own.
    private let queued: (any QueuedWriter)?
    /// The conversion that the writer makes itself; the output makes all others.
    private let writerRequest: ImageRequest
    /// Frames of a file are appended to the writer's queue on the thread on which they arrive: it has a place for each
    /// leased frame, so this does not block. A live source must not wait, so its frames are appended on another thread.
    private let place: CallbackPlace
    private let wake: WritingQueue.Wake
    private let onFrame: @Sendable (Int, VideoFrame) -> Void
    /// Runs the waits for a disk or a pipe.
    private let finisher = WorkerPool(name: "export", threads: 1)
    /// The size, in bytes, of the decoded frames that may wait for a place in the queue of a stream; one may always
    /// wait. More do not make the export faster, and large ones would use most of its memory.
    private static let waitingBytes = 6 << 20
    /// The time that a writer may take to finish after a stop.
    private static let patience = Duration.seconds(5)

    /// Creates an export; see ``run()``.
    ///
    /// - Parameters:
    ///   - device: The source of the frames.
    ///   - writer: The destination of the frames. At the end, the export closes and finishes the writer.
    ///   - settings: The frames to write, and their format and size.
    ///   - clock: The clock of sources without hardware, such as movies and the test pattern.
    ///   - onFrame: Called for each frame passed to the writer, with the number of the frame (from 0) and the frame.
    ///     Calls are in order and never overlap. The closure must not block for long.
    public init(
        from device: CaptureDevice, to writer: any FrameWriter, settings: Settings = Settings(),
        clock: any CaptureClock = SystemClock(),
        onFrame: @escaping @Sendable (Int, VideoFrame) -> Void = { _, _ in }
    ) {
        self.device = device
        self.writer = writer
        self.settings = settings
        self.onFrame = onFrame
        session = CaptureSession(clock: clock)
        let isLive = device.driver.isLive
        queued = writer as? any QueuedWriter
        let isAtWriter = queued?.converts(settings.image) ?? false
        writerRequest = isAtWriter ? settings.image : ImageRequest()
        let isOnArrival = queued != nil && !isLive
        place = isOnArrival ? .arrival : .queue(nil)
        let isStream = isOnArrival && writer is FrameStreamWriter
        let waitingFrames = isStream ? Self.waitingFrames(of: device.formats.first) : 4
        // Not for image files, which are encoded in parallel, one frame per thread; and a single large frame must not
        // wait for a second one.
        wake = isStream && waitingFrames > 1 ? .several : .once
        output = VideoDataOutput(
            name: "export", pixelFormat: isAtWriter ? nil : settings.image.pixelFormat, size: settings.image.size,
            latePolicy: isLive ? .bounded(4) : .lossless(waitingFrames),
            leaseLimit: writer.capacity + (isOnArrival ? 0 : 2))
        if isOnArrival, let queue = queued?.queue { output.isWriting = { queue.isWriting } }
        output.fit = settings.image.fit
        output.crop = settings.image.crop
        output.chroma = settings.image.chroma
        output.colorSpace = settings.image.colorSpace
        output.connection.orientation = settings.image.orientation
        output.connection.isMirrored = settings.image.isMirrored
        output.connection.effects = settings.image.effects
        output.connection.frameStride = settings.frameStride
        output.connection.minFrameDuration = settings.interval
    }

    /// The number of decoded frames of this format that may wait for a place in the queue of a stream, 1 to 4.
    package static func waitingFrames(of format: VideoFormat?) -> Int {
        guard let format else { return 4 }
        let byteCount = format.pixelFormat.packedByteCount(width: format.width, height: format.height)
        return min(max(1, waitingBytes / max(1, byteCount)), 4)
    }

    /// Runs until the source ends, a limit is reached, an error occurs, or ``stop()`` is called.
    ///
    /// - Returns: The result, also after a failure, since frames may have been written before the failure.
    public func run() async -> Report {
        let delegate = Delegate(export: self)
        output.setDelegate(delegate, on: place)
        output.connection.isEnabled = settings.delay == nil
        do throws(ObscuraError) {
            try device.require(.video)
            let input = try CaptureDeviceInput(
                device: device, startsWhenAvailable: settings.startsWhenAvailable)
            try await session.configure { [output, settings] in
                $0.preset = settings.preset
                try $0.addInput(input)
                try $0.addOutput(output)
            }
            state.withLock { $0.begin = .now }
            // Does not start after a stop during the configuration.
            try await session.start { [state] in state.withLock { $0.ending == nil } }
            try session.requirePictures(of: input)
            // A short movie may have ended already.
            state.withLock { $0.format = session.activeFormat(of: input) ?? device.formats.first }
            await enableLater()
            await finisher.run { [state] in state.wait { $0.ending == nil ? nil : () } }
        } catch {
            end(.failed(error))
        }
        writer.close()
        await session.stop()
        output.setDelegate(nil)
        await finishWriting()
        return Report(self, inputs: session.ledger.inputs)
    }

    /// Ends the export. Frames in the writer's queue are still written; if this takes longer than 5 s, the export fails
    /// with `timedOut`. May be called on any thread; does not block.
    public func stop() {
        state.withLock { $0.stopped = $0.stopped ?? .now }
        end(.stopped)
        writer.close()
        // Cancels the opening of a device.
        session.stopSoon { true }
    }

    /// A new stream of the device's events, such as interruptions, beginning at the time of access.
    public var events: AsyncStream<SessionEvent> { session.events }

    /// Starts a trace: a recording of the device's timing and events for a replay; see
    /// ``CaptureSession/trace(to:options:)``.
    @discardableResult
    public func trace(
        to path: String, options: SessionTrace.Options = SessionTrace.Options()
    ) throws(ObscuraError) -> SessionTrace {
        try session.trace(to: path, options: options)
    }

    // MARK: Steps of a run

    /// Enables the frames after the delay.
    private func enableLater() async {
        guard let delay = settings.delay else { return }
        let deadline = HostTime.now + delay
        await finisher.run { [state] in _ = state.wait(until: deadline) { $0.ending == nil ? nil : () } }
        output.connection.isEnabled = true
    }

    /// Waits for the disk or the reader of the pipe; after a stop, only for a limited time.
    private func finishWriting() async {
        let failure = await finisher.run { [writer, state] in
            while true {
                do throws(ObscuraError) {
                    try writer.finish(until: .now + .milliseconds(250))
                    return nil as ObscuraError?
                } catch {
                    let stopped = state.withLock { $0.stopped }
                    let isPatient = stopped.map { .now - $0 < Self.patience } ?? true
                    guard error.code == .timedOut, isPatient else { return error }
                }
            }
        }
        guard let failure else { return }
        // An error of the source takes precedence, as the writer's error may follow from it.
        state.withLock { state in
            if case .failed = state.ending { return }
            state.ending = .failed(failure)
        }
    }

    private func end(_ ending: Ending) {
        state.withLockSignalling { state in
            if state.ending == nil { state.ending = ending }
        }
    }

    /// Returns the number of the frame if it is to be written, otherwise nil.
    private func admit(_ frame: VideoFrame) -> Int? {
        let (number, isLimit) = state.withLock { state -> (Int?, Bool) in
            guard state.ending == nil else { return (nil, false) }
            let first = state.first ?? frame.presentationTime
            let isPast = settings.duration.map { frame.presentationTime - first >= $0 } ?? false
            guard !isPast, settings.count.map({ state.taken < $0 }) ?? true else {
                return (nil, true)
            }
            state.first = first
            state.last = frame.presentationTime
            defer { state.taken += 1 }
            return (state.taken, false)
        }
        if isLimit { end(.limitReached) }
        return number
    }

    private func take(_ frame: VideoFrame) {
        guard let number = admit(frame) else { return }
        do throws(ObscuraError) {
            if let queued {
                _ = try queued.queue.append(frame, as: writerRequest, wake: wake, until: nil)
            } else {
                try writer.append(frame)
            }
        } catch {
            return end(.failed(error))
        }
        onFrame(number, frame)
        if number + 1 == settings.count { end(.limitReached) }
    }

    private func sourceDidEnd(_ error: ObscuraError?) {
        end(error.map { .failed($0) } ?? .sourceEnded)
    }

    /// The delegate of the output; blocks its queue while the writer is full.
    private final class Delegate: VideoDataOutputDelegate {
        private let export: FrameExport

        init(export: FrameExport) {
            self.export = export
        }

        func output(
            _ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection
        ) {
            export.take(frame)
        }

        func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?) {
            export.sourceDidEnd(error)
        }
    }
}
