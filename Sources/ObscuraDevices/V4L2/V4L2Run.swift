// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// Runs one camera of the kernel on a thread of its own, through faults and unplugging, until it is stopped.
final class V4L2Run: CaptureRun {
    private let camera: FoundCamera
    private let format: VideoFormat?
    private let startsWhenAvailable: Bool
    private let finder: CameraFinder
    private let monitor: CameraMonitor
    private let sink: any CaptureSink
    /// Rung by the end; what waits for something else than the device listens to it.
    private let alarm = Alarm()
    private let thread = Lock<WorkerThread?>(nil)
    private let bell = Lock<Wakeup?>(nil)
    private let opening = Lock<Result<VideoFormat, CaptureError>?>(nil)

    /// A camera that has given frames, and then nothing for so long and for five frames, has stalled.
    private static let stallTime = Duration.seconds(3)
    /// How long a start may take: a driver that hangs in a call must not hold up the session.
    private static let startTime = Duration.seconds(20)

    /// What the run's thread knows of the streams so far.
    private struct Progress {
        var recovery = V4L2Recovery()
        var numbers = V4L2Numbers()
        var stamps = V4L2Stamps()
        /// The mode of the first stream, which all others have as well.
        var mode: V4L2Mode?
        /// Why no frames come; nil while they do.
        var interruption: InterruptionReason?
        /// Whether the session has been told that the camera runs.
        var hasStarted = false
    }

    init(
        camera: FoundCamera, format: VideoFormat?, startsWhenAvailable: Bool,
        finder: CameraFinder, monitor: CameraMonitor, sink: any CaptureSink
    ) {
        self.camera = camera
        self.format = format
        self.startsWhenAvailable = startsWhenAvailable
        self.finder = finder
        self.monitor = monitor
        self.sink = sink
    }

    func start() throws -> SourceFormat {
        let wakeup = try Wakeup(camera.name)
        bell.withLock { $0 = wakeup }
        guard let thread = WorkerThread(name: "v4l2", { [self] in run(wakeup) }) else {
            throw CaptureError(.deviceFailed, subject: camera.name, reason: "the system has no threads left")
        }
        self.thread.withLock { $0 = thread }
        // The thread, or a cancellation, always leaves a result.
        guard let result = opening.wait(until: .now + Self.startTime, for: { $0 }) else {
            cancel()
            throw CaptureError(
                .timedOut, subject: camera.name, reason: "its driver does not answer",
                advice: "Unplug it and plug it in again.")
        }
        return SourceFormat(video: try result.get())
    }

    func cancel() {
        alarm.ring()
        bell.withLock { $0 }?.ring()
        // A driver may hang in a call; who waits for the start does not wait for that.
        report(.failure(.cancelled(camera.name)))
    }

    func stop() {
        cancel()
        _ = thread.withLock { $0 }?.join(until: .now + .seconds(2))
    }

    /// The first result of the opening counts.
    private func report(_ result: Result<VideoFormat, CaptureError>) {
        opening.withLockSignalling { $0 = $0 ?? result }
    }

    // MARK: The run's thread

    private func run(_ bell: Wakeup) {
        var progress = Progress()
        // Kept for as long as the camera runs: that a twin was plugged in is seen only while it happens.
        let changes = monitor.watch()
        while !alarm.hasRung {
            let begin = HostTime.now
            var failure: CaptureError?
            do throws(CaptureError) {
                try runStream(&progress, bell)
            } catch {
                failure = error
            }
            if alarm.hasRung { return }
            // A camera that was never there to begin with is an error, unless somebody waits for it.
            if !progress.hasStarted {
                let format = progress.mode?.format ?? format
                guard startsWhenAvailable, failure?.code == .deviceInUse, let format else {
                    return report(.failure(failure ?? .cancelled(camera.name)))
                }
                report(.success(format))
                progress.hasStarted = true
            }
            guard case .retry(let reason, let pause) = progress.recovery.step(after: failure, now: .now) else {
                return sink.finish(throwing: failure)
            }
            if progress.interruption != reason { sink.interrupted(reason) }
            progress.interruption = reason
            rest(reason, pause, bell, changes)
            _ = bell.wait(with: nil, until: begin + progress.recovery.shortestPause)
        }
    }

    /// One stream, from the opening of the camera to its end: returns when the bell rings or no frames come, and
    /// throws when it cannot begin or fails.
    private func runStream(_ progress: inout Progress, _ bell: Wakeup) throws(CaptureError) {
        // Another camera may have its node by now.
        guard let path = finder.path(of: camera) else { throw .system(ENODEV, camera.path, "") }
        let device = try V4L2Device(path: path, namesHolders: !progress.hasStarted)
        let mode: V4L2Mode
        if let known = progress.mode { mode = known } else { mode = try chosenMode(of: device) }
        progress.mode = mode
        let stream = try V4L2Stream(device: device, mode: mode)
        defer { stream.close() }
        try stream.start()
        report(.success(stream.agreement.format))
        progress.hasStarted = true
        progress.numbers.beginStream(countsFromStart: stream.isExclusive)
        progress.stamps.beginStream()
        let patience = stallPatience(stream.agreement.format)
        var deadline = HostTime.now + max(patience, progress.recovery.patience)
        while !alarm.hasRung {
            // Waited for first: a dequeue that finds nothing is a call in vain for each frame, made while the reader
            // gives its buffer back.
            let wait = bell.wait(with: device.descriptor, until: deadline)
            if wait == .rung || wait == .timedOut { return }
            if let delivery = try stream.dequeue() {
                deliver(delivery, of: stream, &progress)
                deadline = .now + patience
            } else if wait == .failed {
                throw CaptureError(.deviceFailed, subject: path, reason: "its driver gave the stream up")
            }
        }
    }

    private func stallPatience(_ format: VideoFormat) -> Duration {
        let interval = format.frameRate?.frameDuration.duration ?? .zero
        return max(Self.stallTime, interval * 5)
    }

    private func deliver(_ delivery: V4L2Delivery, of stream: V4L2Stream, _ progress: inout Progress) {
        let now = HostTime.now
        let (sequence, gap) = progress.numbers.number(of: delivery.sequence)
        guard !delivery.isBroken, delivery.isWhole(stream.agreement.shape) else {
            return sink.loseFrame(sequence: sequence, gap: gap)
        }
        if progress.interruption != nil { sink.resumed() }
        progress.interruption = nil
        progress.recovery.delivered(at: now)
        let (time, isEstimated) = progress.stamps.time(of: delivery.stamp, now: now)
        var attachments = VideoFrame.Attachments()
        attachments.dequeueTime = now
        attachments.isHostTimeEstimated = isEstimated
        attachments.uprightTurn = Orientation(degrees: camera.rotation)
        attachments.gap = gap
        let format = stream.agreement.format
        let duration = format.frameRate?.frameDuration
        guard format.pixelFormat.isCompressed else {
            let frame = VideoFrame(
                buffer: delivery.makePicture(), presentationTime: time.mediaTime, hostTime: time,
                duration: duration, sequence: sequence, attachments: attachments)
            return sink.receive(frame, buffersLeft: stream.isExclusive ? delivery.buffersLeft : 0)
        }
        let data = delivery.copyBytes()
        sink.receive(
            EncodedFrame(
                format: format.pixelFormat, data: data, width: format.width, height: format.height,
                isKeyFrame: format.pixelFormat == .mjpeg || H264AccessUnit.isKeyFrame(data),
                presentationTime: time.mediaTime, hostTime: time, duration: duration, sequence: sequence,
                attachments: attachments))
    }

    /// The mode that was asked for, or the camera's own choice.
    private func chosenMode(of device: V4L2Device) throws(CaptureError) -> V4L2Mode {
        let modes = V4L2Modes(of: device)
        if let format {
            guard let mode = modes.mode(for: format) else {
                throw CaptureError(
                    .unsupportedFormat, subject: camera.name,
                    reason: "it has no mode \(format.size) \(format.pixelFormat.rawValue)",
                    advice: "See its modes with: obscura devices.")
            }
            return mode
        }
        guard let mode = modes.all.first else {
            let offered = device.fourCCs
            guard !offered.isEmpty else {
                throw CaptureError(
                    .unsupportedFormat, subject: camera.name, reason: "it gives no pictures at this moment",
                    advice: "If it is a loopback device, start the program that feeds it.")
            }
            throw CaptureError(
                .unsupportedFormat, subject: camera.name,
                reason: "none of its pixel formats (\(offered.map(\.description).joined(separator: ", "))) "
                    + "is known")
        }
        return mode
    }

    /// Waits until it is worth trying again, or the bell rings.
    private func rest(_ reason: InterruptionReason, _ pause: Duration, _ bell: Wakeup, _ changes: ChangeWatch) {
        switch reason {
        case .deviceDisconnected:
            if finder.path(of: camera) == nil {
                _ = changes.waitForChange(until: .now + pause, unless: alarm)
            }
        case .deviceInUse:
            // What another closes before the watch begins is seen at the end of the pause.
            let watch = CloseWatch(path: finder.path(of: camera) ?? camera.path)
            _ = bell.wait(with: watch.descriptor, until: .now + pause)
        case .stalled, .streamFailed:
            _ = bell.wait(with: nil, until: .now + pause)
        }
    }
}
