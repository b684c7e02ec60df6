// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

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

    /// How many buffers the driver is asked for: readers may hold all but two of them without a copy.
    private static let bufferCount = 10
    /// A camera that has given nothing for so long, and for five frames, has stalled.
    private static let stallTime = Duration.seconds(3)

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

    func start() throws -> VideoFormat {
        let wakeup = try Wakeup(camera.name)
        bell.withLock { $0 = wakeup }
        guard let thread = WorkerThread(name: "v4l2", { [self] in run(wakeup) }) else {
            throw CaptureError(.deviceFailed, subject: camera.name, reason: "the system has no threads left")
        }
        self.thread.withLock { $0 = thread }
        // The thread, or a cancellation, always leaves a result.
        guard let result = opening.wait(for: { $0 }) else { throw CaptureError.cancelled(camera.name) }
        return try result.get()
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
        var recovery = V4L2Recovery()
        var numbers = V4L2Numbers()
        var mode: V4L2Mode?
        var path = camera.path
        var interruption: InterruptionReason?
        var hasStarted = false
        while !alarm.hasRung {
            var failure: CaptureError?
            let watch = CloseWatch(path: path)
            do throws(CaptureError) {
                let device = try V4L2Device(path: path)
                let wanted: V4L2Mode
                if let mode { wanted = mode } else { wanted = try chosenMode(of: device) }
                mode = wanted
                let stream = try V4L2Stream(device: device, mode: wanted, bufferCount: Self.bufferCount)
                defer { stream.close() }
                try stream.start()
                report(.success(stream.agreement.format))
                hasStarted = true
                numbers.beginStream()
                try serve(stream, bell) { delivery in
                    if interruption != nil { sink.resumed() }
                    interruption = nil
                    recovery.delivered()
                    deliver(delivery, of: stream, &numbers)
                }
            } catch {
                failure = error
            }
            if alarm.hasRung { return }
            if !hasStarted {
                // A camera that was never there to begin with is an error, unless somebody waits for it.
                guard startsWhenAvailable, let failure, failure.code == .deviceInUse, let mode else {
                    return report(.failure(failure ?? .cancelled(camera.name)))
                }
                report(.success(mode.format))
                hasStarted = true
            }
            guard case .retry(let reason, let pause) = recovery.step(after: failure) else {
                return sink.finish(throwing: failure)
            }
            if interruption != reason { sink.interrupted(reason) }
            interruption = reason
            guard let next = nextPath(after: path, reason, pause, watch, bell) else { return }
            path = next
        }
    }

    /// Hands on frames until the bell rings (returns), the stream fails (throws), or no frames come (returns,
    /// with the alarm silent).
    private func serve(
        _ stream: V4L2Stream, _ bell: Wakeup, _ body: (V4L2Delivery) -> Void
    ) throws(CaptureError) {
        guard let descriptor = stream.device?.descriptor else { return }
        let patience = stallPatience(stream.agreement.format)
        var deadline = HostTime.now + patience
        while true {
            if let delivery = try stream.dequeue() {
                body(delivery)
                deadline = HostTime.now + patience
                if alarm.hasRung { return }
                continue
            }
            switch bell.wait(with: descriptor, until: deadline) {
            case .ready: continue
            case .rung, .timedOut: return
            case .failed:
                guard try stream.dequeue() == nil else { continue }
                throw CaptureError(.deviceFailed, subject: stream.path, reason: "its driver gave the stream up")
            }
        }
    }

    private func stallPatience(_ format: VideoFormat) -> Duration {
        let interval = format.frameRate?.frameDuration.duration ?? .zero
        return max(Self.stallTime, interval * 5)
    }

    private func deliver(_ delivery: V4L2Delivery, of stream: V4L2Stream, _ numbers: inout V4L2Numbers) {
        let now = HostTime.now
        let (sequence, gap) = numbers.number(of: delivery.sequence)
        guard !delivery.isBroken, delivery.isWhole(stream.agreement.shape) else { return sink.loseFrame() }
        // No stamp, or one from another day, is a driver's mistake. Some stamp the end of a frame that is
        // still to come.
        let stamp = delivery.stamp.flatMap { $0.nanoseconds > 0 && $0 <= now + .seconds(1) ? $0 : nil }
        var attachments = VideoFrame.Attachments()
        attachments.dequeueTime = now
        attachments.isHostTimeEstimated = stamp == nil
        attachments.uprightTurn = Orientation(degrees: camera.rotation)
        attachments.gap = gap
        let time = stamp ?? now
        let format = stream.agreement.format
        let duration = format.frameRate?.frameDuration
        guard format.pixelFormat.isCompressed else {
            let frame = VideoFrame(
                buffer: delivery.makePicture(), presentationTime: time.mediaTime, hostTime: time,
                duration: duration, sequence: sequence, attachments: attachments)
            return sink.receive(frame, buffersLeft: stream.keepsLeasesWhole ? delivery.buffersLeft : 0)
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
            throw CaptureError(
                .unsupportedFormat, subject: camera.name,
                reason: "none of its pixel formats (\(device.fourCCs.map(\.description).joined(separator: ", "))) "
                    + "is known")
        }
        return mode
    }

    /// Waits until it is worth trying again. Returns the node that the camera has now, or nil at the end.
    private func nextPath(
        after path: String, _ reason: InterruptionReason, _ pause: Duration, _ watch: CloseWatch, _ bell: Wakeup
    ) -> String? {
        switch reason {
        case .deviceDisconnected:
            // A node may still be listed for a moment after its device has gone.
            let changes = monitor.watch()
            var deadline = HostTime.now + .milliseconds(100)
            while !alarm.hasRung {
                _ = changes.waitForChange(until: deadline, unless: alarm)
                if let path = finder.path(named: camera.uniqueID) { return path }
                deadline = HostTime.now + pause
            }
            return nil
        case .deviceInUse:
            // What another closes between our try and this is seen at the end of the pause.
            watch.reset()
            return bell.wait(with: watch.descriptor, until: .now + pause) == .rung ? nil : path
        case .stalled, .streamFailed:
            return bell.wait(with: nil, until: .now + pause) == .rung ? nil : path
        }
    }
}
