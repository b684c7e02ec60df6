// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// The run of a camera or microphone on its own thread until it is stopped; recovers from faults and disconnection.
///
/// While the machine sleeps, and on request while the user's session is locked, the device is closed.
final class DeviceRun<Streams: DeviceStreams>: CaptureRun {
    private let streams: Streams
    private let threadName: String
    private let startsWhenAvailable: Bool
    private let pausesWhileLocked: Bool
    private let sink: any CaptureSink
    private let monitor: DeviceMonitor
    private let power: PowerMonitor
    /// The token that ends all waits except those for the device.
    private let cancellation = CancellationToken()
    private let thread = Lock<WorkerThread?>(nil)
    private let eventFD = Lock<EventFD?>(nil)
    /// The observation of sleep and lock, from the first start of a stream on.
    private let observation = Lock<Observation?>(nil)
    private let opening = Lock<Result<SourceFormat, ObscuraError>?>(nil)

    /// Maximum duration of a start: a driver that blocks in a call must not block the session.
    private static var startLimit: Duration { .seconds(20) }

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - streams: the device's streams.
    ///   - thread: the thread's name.
    ///   - startsWhenAvailable: whether to wait for a device that is in use.
    ///   - pausesWhileLocked: whether to close the device while the session of the user is locked.
    ///   - monitor: reports connected devices.
    ///   - power: reports the machine's sleep and the lock of the session.
    init(
        _ streams: Streams, thread: String, startsWhenAvailable: Bool, pausesWhileLocked: Bool = false,
        sink: any CaptureSink, monitor: DeviceMonitor, power: PowerMonitor = .shared
    ) {
        self.streams = streams
        threadName = thread
        self.startsWhenAvailable = startsWhenAvailable
        self.pausesWhileLocked = pausesWhileLocked
        self.sink = sink
        self.monitor = monitor
        self.power = power
    }

    func start() throws -> SourceFormat {
        let eventFD = try EventFD(streams.name)
        self.eventFD.withLock { $0 = eventFD }
        guard let thread = WorkerThread(name: threadName, { [self] in run(eventFD) }) else {
            throw ObscuraError.noThread(.capture, .deviceFailed, streams.name)
        }
        self.thread.withLock { $0 = thread }
        // The thread or a cancellation always sets the result.
        guard let result = opening.wait(until: .now + Self.startLimit, for: { $0 }) else {
            cancel()
            throw ObscuraError(
                .capture, .timedOut, subject: streams.name, reason: "its driver does not respond",
                advice: "Unplug the device and plug it in again.")
        }
        return try result.get()
    }

    func cancel() {
        cancellation.cancel()
        eventFD.withLock { $0 }?.signal()
        // A driver may block in a call; a start must not wait for it.
        report(.failure(.cancelled(.capture, streams.name)))
    }

    func stop() {
        cancel()
        _ = thread.withLock { $0 }?.join(until: .now + .seconds(2))
    }

    /// Sets the result of the start; the first one counts.
    private func report(_ result: Result<SourceFormat, ObscuraError>) {
        opening.withLockSignalling { $0 = $0 ?? result }
    }

    // MARK: Thread

    private func run(_ eventFD: EventFD) {
        var streams = streams
        // Kept while the device runs: a duplicate is detected only while it is connected. Begins after the start, which
        // the first scan of the machine would delay.
        lazy var changes = monitor.watch()
        let life = RunLife(eventFD: eventFD, cancellation: cancellation, sink: sink) { [self] result in
            guard case .success = result else { return report(result) }
            observePower(eventFD)
            report(result)
            _ = changes
        }
        defer { observation.withLock { $0 = nil } }
        while !life.isOver {
            let begin = HostTime.now
            var failure: ObscuraError?
            do throws(ObscuraError) {
                try streams.run(life)
            } catch {
                failure = error
            }
            // A signal without a cancellation is a change of sleep or lock. A cancellation precedes its signal, so it is
            // noticed after the signal is cleared.
            let isPowerChanged = eventFD.clear()
            if life.isOver { return }
            // The signal also ends the waits of a stream that is being opened, which are then errors of several kinds.
            if pause(life, eventFD) || isPowerChanged { continue }
            // A device that is missing at the start is an error, unless it is to be waited for.
            if !life.hasStarted {
                guard startsWhenAvailable, failure?.code == .deviceInUse, let format = streams.format else {
                    return life.rejected(failure ?? .cancelled(.capture, streams.name))
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

    /// Begins to observe sleep and lock, once.
    private func observePower(_ eventFD: EventFD) {
        guard observation.withLock({ $0 == nil }) else { return }
        let began = power.observe(noticesLock: pausesWhileLocked) { eventFD.signal() }
        observation.withLock { $0 = began }
        // A change before the observation.
        if power.interruption(noticesLock: pausesWhileLocked) != nil { eventFD.signal() }
    }

    /// Reports that the machine sleeps or the session is locked, and waits for the end of both. Returns false if
    /// neither is the case.
    private func pause(_ life: RunLife, _ eventFD: EventFD) -> Bool {
        guard life.hasStarted else { return false }
        var isPaused = false
        while !life.isOver, let reason = power.interruption(noticesLock: pausesWhileLocked) {
            isPaused = true
            life.interrupted(reason)
            _ = eventFD.wait(with: nil, until: .now + .seconds(3600))
            eventFD.clear()
            if reason == .systemSleep { life.woke() }
        }
        return isPaused
    }

    /// Waits for the next attempt, or the cancellation of the run.
    private func rest(
        _ reason: InterruptionReason, _ pause: Duration, _ streams: Streams, _ eventFD: EventFD, _ changes: ChangeWatch
    ) {
        switch reason {
        case .deviceDisconnected:
            if streams.path() == nil { _ = changes.waitForChange(until: .now + pause, unless: cancellation) }
        case .deviceInUse:
            // A close before the watch begins is noticed at the end of the pause.
            let watch = streams.path().map { CloseWatch(path: $0) }
            _ = eventFD.wait(with: watch?.descriptor, until: .now + pause)
        case .stalled, .streamFailed, .systemSleep, .sessionLocked:
            _ = eventFD.wait(with: nil, until: .now + pause)
        }
    }
}
