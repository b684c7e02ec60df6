// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraCapture
public import ObscuraMedia

/// Brings the frames of a device to a ``FrameWriter``, from the first to the last that is wanted.
///
/// ```swift
/// let film = try CaptureDevice.named("film.mp4", reading: reading)
/// let writer = try FrameSequenceWriter(FramePathPattern("frames/%06d.jpg"), encoding: .jpeg())
/// let report = try await FrameExport(from: film, to: writer).run()
/// ```
///
/// Every frame of a source that is read as fast as it is taken is written: the writer pushes back on it. A
/// live source loses the frames that come while the writer is full, and they are counted as late. Frames that
/// are not wanted (``Settings/every``, ``Settings/interval``) are never converted.
///
/// Thread-safe. One export runs once.
public final class FrameExport: Sendable {
    /// Which frames, and what they are to be.
    public struct Settings: Sendable, Hashable {
        /// Size, pixel format, turn and mirroring; by default the device's own picture, upright.
        public var image = ImageRequest()
        /// Only each n-th frame, the first one first.
        public var frameStride = 1
        /// The least time between two frames; nil takes all.
        public var interval: MediaTime?
        /// At most so many frames.
        public var count: Int?
        /// So long, by the frames' own times, from the first one.
        public var duration: MediaTime?
        /// How long frames are let pass by before the first one is taken, for a device that is live.
        public var delay: Duration?
        /// The mode of a device that has several.
        public var preset = CaptureSession.Preset.high

        /// Every frame, upright and otherwise as the device gives it.
        public init() {}
    }

    /// Why an export ended.
    public enum Ending: Sendable {
        /// The source was at its end.
        case sourceEnded
        /// ``Settings/count`` or ``Settings/duration`` was reached.
        case limitReached
        /// ``FrameExport/stop()`` was called.
        case stopped
        /// The source or the writer failed; what was written is whole.
        case failed(ObscuraError)
    }

    struct State {
        var ending: Ending?
        /// When the caller wanted it to end.
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
    private let onFrame: @Sendable (Int, VideoFrame) -> Void
    /// Waiting for a disk or a pipe happens here.
    private let finisher = WorkerPool(name: "export", threads: 1)
    /// How long a writer may take to finish once the caller wants it to end.
    private static let patience = Duration.seconds(5)

    /// - Parameters:
    ///   - device: where the frames come from.
    ///   - writer: where they go; the export finishes it.
    ///   - clock: by which sources without hardware keep time.
    ///   - onFrame: called for each frame that is handed to the writer, with its number from 0, in order, and
    ///     one call at a time; must not block for long.
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
        output = VideoDataOutput(
            name: "export", pixelFormat: settings.image.pixelFormat, size: settings.image.size,
            lateFrames: device.driver.isLive ? .bounded(4) : .lossless, leaseLimit: writer.capacity + 2)
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

    /// Runs until the source is at its end, a limit is reached, something fails, or ``stop()``.
    ///
    /// - Returns: what became of the frames, also when it failed: a source may give many whole frames first.
    public func run() async -> Report {
        let delegate = Delegate(export: self)
        output.setDelegate(delegate)
        output.connection.isEnabled = settings.delay == nil
        do throws(ObscuraError) {
            try device.require(.video)
            let input = try CaptureDeviceInput(device: device)
            try await session.configure { [output, settings] in
                $0.preset = settings.preset
                try $0.addInput(input)
                try $0.addOutput(output)
            }
            state.withLock { $0.begin = .now }
            // Not after a stop that came while the source was being named.
            try await session.start { [state] in state.withLock { $0.ending == nil } }
            try session.requirePictures(of: input)
            // A short film may be at its end already.
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

    /// Ends the export. Frames that are in the writer's hands are still written. Any thread; does not block.
    public func stop() {
        state.withLock { $0.stopped = $0.stopped ?? .now }
        end(.stopped)
        writer.close()
        // A device that is still being opened gives up.
        session.stopSoon { true }
    }

    /// What happens to the device, from now on.
    public var events: AsyncStream<SessionEvent> { session.events }

    // MARK: Parts of the run

    /// Lets frames pass once the delay is over.
    private func enableLater() async {
        guard let delay = settings.delay else { return }
        let deadline = HostTime.now + delay
        await finisher.run { [state] in _ = state.wait(until: deadline) { $0.ending == nil ? nil : () } }
        output.connection.isEnabled = true
    }

    /// Waits for as long as the disk or the reader of the pipe takes, unless the caller has had enough.
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
        // What the source said first weighs more than what followed from it.
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

    /// Whether the frame is wanted, and its number.
    private func admit(_ frame: VideoFrame) -> Int? {
        state.withLockSignalling { state in
            guard state.ending == nil else { return nil }
            let first = state.first ?? frame.presentationTime
            let isPast = settings.duration.map { frame.presentationTime - first >= $0 } ?? false
            guard !isPast, settings.count.map({ state.taken < $0 }) ?? true else {
                state.ending = .limitReached
                return nil
            }
            state.first = first
            state.last = frame.presentationTime
            defer { state.taken += 1 }
            return state.taken
        }
    }

    private func take(_ frame: VideoFrame) {
        guard let number = admit(frame) else { return }
        do throws(ObscuraError) {
            try writer.append(frame)
        } catch {
            return end(.failed(error))
        }
        onFrame(number, frame)
        if number + 1 == settings.count { end(.limitReached) }
    }

    private func sourceDidEnd(_ error: ObscuraError?) {
        end(error.map { .failed($0) } ?? .sourceEnded)
    }

    /// What the output calls on its own queue; blocks there while the writer is full.
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
