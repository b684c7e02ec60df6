// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// Reads a movie on a thread of its own, and hands out its frames when they are due.
final class MovieRun: CaptureRun {
    private let address: String
    private let name: String
    private let options: MovieReadingOptions
    private let sink: any CaptureSink
    private let clock: any CaptureClock
    private let alarm = Alarm()
    private let control = ReadControl()
    private let thread = Lock<WorkerThread?>(nil)
    private let opening = Lock<Result<VideoFormat, MovieError>?>(nil)

    init(
        address: String, name: String, options: MovieReadingOptions, sink: any CaptureSink, clock: any CaptureClock
    ) {
        self.address = address
        self.name = name
        self.options = options
        self.sink = sink
        self.clock = clock
    }

    func start() throws -> SourceFormat {
        guard let thread = WorkerThread(name: "movie", { [self] in run() }) else {
            throw CaptureError(.deviceFailed, subject: name, reason: "the system has no threads left")
        }
        self.thread.withLock { $0 = thread }
        // The thread, or a cancellation, always leaves a result.
        switch opening.wait(for: { $0 }) {
        case .success(let format): return SourceFormat(video: format)
        case .failure(let error): throw CaptureError(error)
        case nil: throw CaptureError(.cancelled(name))
        }
    }

    func cancel() {
        alarm.ring()
        control.cancel()
        // Looking up a host's name cannot be interrupted; who waits for the start does not wait for that.
        report(.failure(.cancelled(name)))
    }

    func stop() {
        cancel()
        _ = thread.withLock { $0 }?.join(until: .now + .seconds(2))
    }

    /// The first result of the opening counts.
    private func report(_ result: Result<VideoFormat, MovieError>) {
        opening.withLockSignalling { $0 = $0 ?? result }
    }

    // MARK: The run's thread

    private func run() {
        do throws(MovieError) {
            let reader = try MovieReader(address, options: options, control: control)
            report(.success(reader.info.format))
            play(reader)
        } catch {
            report(.failure(error))
        }
    }

    private func play(_ first: MovieReader) {
        var reader = first
        var timeline = MovieTimeline()
        var attempts = 0
        var isInterrupted = false
        while true {
            var delivered = 0
            var reportedLost = 0
            var failure: MovieError?
            do throws(MovieError) {
                while let frame = try reader.nextFrame() {
                    guard let frame = timeline.place(frame, now: clock.now) else { continue }
                    if isInterrupted { sink.resumed() }
                    isInterrupted = false
                    reportLost(upTo: reader.progress.lost, &reportedLost)
                    guard deliver(frame, of: reader, &timeline) else { return }
                    delivered += 1
                }
            } catch {
                failure = error
            }
            if alarm.hasRung { return }
            if delivered > 0 { attempts = 0 }
            guard let policy = reconnection(of: reader, failure) else {
                reportLost(upTo: reader.progress.lost, &reportedLost)
                return sink.finish(throwing: failure.map(CaptureError.init))
            }
            if !isInterrupted { sink.interrupted(failure?.code == .timedOut ? .stalled : .deviceDisconnected) }
            isInterrupted = true
            var position: MediaTime?
            if reader.info.isLive {
                reportLost(upTo: reader.progress.lost, &reportedLost)
                timeline.reconnect()
            } else {
                position = reader.progress.position ?? options.start
                if let position = reader.progress.position { timeline.resume(after: position) }
            }
            guard let next = reopen(policy, at: position, &attempts, failure) else { return }
            reader = next
        }
    }

    /// Hands on a frame when it is due. Returns false when the run was stopped.
    private func deliver(_ frame: VideoFrame, of reader: MovieReader, _ timeline: inout MovieTimeline) -> Bool {
        var frame = frame
        if options.pace == .realTime, !reader.info.isLive {
            frame.hostTime = timeline.dueTime(of: frame.presentationTime, now: clock.now)
            guard clock.wait(until: frame.hostTime, unless: alarm) else { return false }
        } else {
            frame.hostTime = clock.now
            frame.attachments.isHostTimeEstimated = reader.info.isLive
        }
        if alarm.hasRung { return false }
        timeline.note(frame)
        sink.receive(frame, buffersLeft: nil)
        return !alarm.hasRung
    }

    private func reportLost(upTo count: Int, _ reported: inout Int) {
        while reported < count {
            sink.loseFrame()
            reported += 1
        }
    }

    /// How the connection is to be found again; nil when this is the end.
    private func reconnection(of reader: MovieReader, _ failure: MovieError?) -> MovieReadingOptions.Reconnection? {
        guard reader.isNetwork else { return nil }
        switch failure?.code {
        case .connectionFailed?, .timedOut?, .unreadable?, .truncated?: return options.reconnection
        // A live stream has no end: it was cut off.
        case nil, .damaged?: return reader.info.isLive ? options.reconnection : nil
        default: return nil
        }
    }

    /// Opens the address again, with longer and longer pauses. Returns nil when the run has ended.
    private func reopen(
        _ policy: MovieReadingOptions.Reconnection, at position: MediaTime?, _ attempts: inout Int,
        _ failure: MovieError?
    ) -> MovieReader? {
        var failure = failure
        while true {
            if let limit = policy.attempts, attempts >= limit {
                sink.finish(throwing: failure.map(CaptureError.init))
                return nil
            }
            let pause = policy.delay(beforeAttempt: attempts)
            guard clock.wait(until: clock.now + pause, unless: alarm), !alarm.hasRung else { return nil }
            attempts += 1
            do throws(MovieError) {
                return try MovieReader(address, options: options, resumingAt: position, control: control)
            } catch {
                if alarm.hasRung { return nil }
                failure = error
                if error.code == .notAuthorized || error.code == .outOfMemory {
                    sink.finish(throwing: CaptureError(error))
                    return nil
                }
            }
        }
    }
}
