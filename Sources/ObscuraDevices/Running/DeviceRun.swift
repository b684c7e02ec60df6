// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// Runs one device of the kernel, a camera or a microphone, on a thread of its own, through faults and unplugging,
/// until it is stopped.
final class DeviceRun<Streams: DeviceStreams>: CaptureRun {
    private let streams: Streams
    private let threadName: String
    private let startsWhenAvailable: Bool
    private let sink: any CaptureSink
    private let watch: @Sendable () -> ChangeWatch
    /// Rung by the end; what waits for something else than the device listens to it.
    private let cancellation = CancellationToken()
    private let thread = Lock<WorkerThread?>(nil)
    private let eventFD = Lock<EventFD?>(nil)
    private let opening = Lock<Result<SourceFormat, ObscuraError>?>(nil)

    /// How long a start may take: a driver that hangs in a call must not hold up the session.
    private static var startTime: Duration { .seconds(20) }

    /// - Parameters:
    ///   - streams: what is run.
    ///   - thread: what its thread is called.
    ///   - startsWhenAvailable: whether a device that another process has is waited for.
    ///   - watch: tells of devices that come and go.
    init(
        _ streams: Streams, thread: String, startsWhenAvailable: Bool, sink: any CaptureSink,
        watch: @escaping @Sendable () -> ChangeWatch
    ) {
        self.streams = streams
        threadName = thread
        self.startsWhenAvailable = startsWhenAvailable
        self.sink = sink
        self.watch = watch
    }

    func start() throws -> SourceFormat {
        let eventFD = try EventFD(streams.name)
        self.eventFD.withLock { $0 = eventFD }
        guard let thread = WorkerThread(name: threadName, { [self] in run(eventFD) }) else {
            throw ObscuraError(.capture, .deviceFailed, subject: streams.name, reason: "the system has no threads left")
        }
        self.thread.withLock { $0 = thread }
        // The thread, or a cancellation, always leaves a result.
        guard let result = opening.wait(until: .now + Self.startTime, for: { $0 }) else {
            cancel()
            throw ObscuraError(
                .capture, .timedOut, subject: streams.name, reason: "its driver does not answer",
                advice: "Unplug it and plug it in again.")
        }
        return try result.get()
    }

    func cancel() {
        cancellation.cancel()
        eventFD.withLock { $0 }?.signal()
        // A driver may hang in a call; who waits for the start does not wait for that.
        report(.failure(.cancelled(.capture, streams.name)))
    }

    func stop() {
        cancel()
        _ = thread.withLock { $0 }?.join(until: .now + .seconds(2))
    }

    /// The first result of the opening counts.
    private func report(_ result: Result<SourceFormat, ObscuraError>) {
        opening.withLockSignalling { $0 = $0 ?? result }
    }

    // MARK: The run's thread

    private func run(_ eventFD: EventFD) {
        var streams = streams
        let life = RunLife(eventFD: eventFD, cancellation: cancellation, sink: sink) { [self] in report($0) }
        // Kept for as long as the device runs: that a twin was plugged in is seen only while it happens.
        let changes = watch()
        while !life.isOver {
            let begin = HostTime.now
            var failure: ObscuraError?
            do throws(ObscuraError) {
                try streams.run(life)
            } catch {
                failure = error
            }
            if life.isOver { return }
            // A device that was never there to begin with is an error, unless somebody waits for it.
            if !life.hasStarted {
                guard startsWhenAvailable, failure?.code == .deviceInUse, let format = streams.format else {
                    return life.refused(failure ?? .cancelled(.capture, streams.name))
                }
                life.started(format)
            }
            guard case .retry(let reason, let pause) = life.step(after: failure) else {
                return sink.finish(throwing: failure)
            }
            life.interrupted(reason)
            rest(reason, pause, streams, eventFD, changes)
            _ = eventFD.wait(with: nil, until: begin + life.recovery.shortestPause)
        }
    }

    /// Waits until it is worth trying again, or the run is cancelled.
    private func rest(
        _ reason: InterruptionReason, _ pause: Duration, _ streams: Streams, _ eventFD: EventFD, _ changes: ChangeWatch
    ) {
        switch reason {
        case .deviceDisconnected:
            if streams.path() == nil { _ = changes.waitForChange(until: .now + pause, unless: cancellation) }
        case .deviceInUse:
            // What another closes before the watch begins is seen at the end of the pause.
            let watch = streams.path().map { CloseWatch(path: $0) }
            _ = eventFD.wait(with: watch?.descriptor, until: .now + pause)
        case .stalled, .streamFailed:
            _ = eventFD.wait(with: nil, until: .now + pause)
        }
    }
}
