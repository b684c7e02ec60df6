// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// A run of a movie: reads it on its own thread, and delivers frames and audio when they are due.
final class MovieRun: ThreadedRun {
    private let address: String
    private let name: String
    private let options: MovieReadingOptions
    private let startsWhenAvailable: Bool
    private let sink: any CaptureSink
    private let clock: any CaptureClock
    private let control = ReadControl()
    let thread = RunThread()
    private let opening = Lock<Result<SourceFormat, ObscuraError>?>(nil)

    init(
        address: String, name: String, options: MovieReadingOptions, startsWhenAvailable: Bool, sink: any CaptureSink,
        clock: any CaptureClock
    ) {
        self.address = address
        self.name = name
        self.options = options
        self.startsWhenAvailable = startsWhenAvailable
        self.sink = sink
        self.clock = clock
    }

    func start() throws -> SourceFormat {
        try thread.start(name: "movie", subject: name) { [self] in run() }
        // The thread or a cancellation always reports a result.
        switch opening.wait(for: { $0 }) {
        case .success(let format): return format
        case .failure(let error): throw error
        case nil: throw ObscuraError.cancelled(.movies, name)
        }
    }

    func cancel() {
        thread.cancellation.cancel()
        control.cancel()
        // Host name resolution cannot be interrupted; a cancelled start does not wait for it.
        report(.failure(.cancelled(.movies, name)))
    }

    /// Reports the result of the opening; only the first one counts.
    private func report(_ result: Result<SourceFormat, ObscuraError>) {
        opening.withLockSignalling { $0 = $0 ?? result }
    }

    // MARK: The run's thread

    private func run() {
        do throws(ObscuraError) {
            guard let reader = try open() else { return }
            var format = SourceFormat(video: reader.info?.format, audio: reader.sound?.format)
            format.encodedVideo = reader.encodedVideo
            format.encodedAudio = reader.encodedAudio
            report(.success(format))
            play(reader)
        } catch {
            report(.failure(error))
        }
    }

    /// Opens the movie; a URL that is not available is waited for if the input requests it. Returns nil if the run was
    /// cancelled.
    private func open() throws(ObscuraError) -> MovieReader? {
        do throws(ObscuraError) {
            return try MovieReader(address, options: options, needsPictures: false, control: control)
        } catch {
            guard startsWhenAvailable, MovieLocation.isNetwork(address), !thread.cancellation.isCancelled,
                !Self.isFinal(error), !Self.isOfContents(error)
            else { throw error }
            sink.interrupted(Self.interruption(by: error))
            var policy = options.reconnection ?? MovieReadingOptions.Reconnection()
            policy.attempts = nil
            var attempts = 0
            switch reopen(policy, at: Place(), &attempts, error) {
            case .opened(let reader):
                sink.resumed()
                return reader
            case .ended(let failure): throw failure ?? error
            case .cancelled: return nil
            }
        }
    }

    /// Whether another attempt to open the URL would fail as well.
    private static func isFinal(_ error: ObscuraError) -> Bool {
        [.notAuthorized, .certificateNotTrusted, .unsupportedProtocol, .libraryMissing, .outOfMemory].contains(
            error.code)
    }

    /// Whether the server answers, but not with a movie that can be read, as at a wrong URL. While a camera starts, it may
    /// do so for a moment; therefore only the first attempt counts.
    private static func isOfContents(_ error: ObscuraError) -> Bool {
        [.unsupportedContainer, .unsupportedCodec, .noVideo, .tooLarge].contains(error.code)
    }

    private static func interruption(by error: ObscuraError?) -> InterruptionReason {
        error?.code == .timedOut ? .stalled : .deviceDisconnected
    }

    private func play(_ first: MovieReader) {
        var reader = first
        var timeline = MovieTimeline()
        var place = Place()
        var attempts = 0
        var isInterrupted = false
        var batches = BatchedReading()
        while true {
            var delivered = 0
            var restarts = StreamClock.Restarts()
            var reportedLost = 0
            var failure: ObscuraError?
            do throws(ObscuraError) {
                while true {
                    let (demand, waited) = (sink.demand, reader.waited)
                    guard let element = try nextElement(of: reader, demand) else { break }
                    if reader.restarts != restarts { timeline.retime(reader.restarts, after: restarts) }
                    restarts = reader.restarts
                    let time = time(of: element, reader)
                    let placement = timeline.place(element, at: time)
                    // A frame that is decoded as well is counted with its decoded form, which may be complete.
                    if case .lost = placement, !(element.isEncodedPicture && demand.contains(.frames)) {
                        sink.loseFrame()
                    }
                    guard case .placed(let element) = placement else { continue }
                    if isInterrupted { sink.resumed() }
                    isInterrupted = false
                    reportLost(upTo: reader.progress.lost, &reportedLost)
                    guard deliver(element, at: time, of: reader, &timeline) else { return }
                    delivered += 1
                    guard demand.isSubset(of: [.encodedFrames, .encodedAudio]), reader.mayBeReadInBatches,
                        let captured = element.captureTime,
                        let pause = batches.pause(
                            after: element.byteCount, waited: reader.waited - waited, captured: captured,
                            now: clock.now)
                    else { continue }
                    guard clock.wait(until: clock.now + pause, unless: thread.cancellation) else { return }
                }
            } catch {
                failure = error
            }
            if thread.cancellation.isCancelled { return }
            if delivered > 0 { attempts = 0 }
            guard let policy = reconnection(of: reader, failure) else {
                reportLost(upTo: reader.progress.lost, &reportedLost)
                return sink.finish(throwing: failure)
            }
            if !isInterrupted { sink.interrupted(Self.interruption(by: failure)) }
            isInterrupted = true
            if reader.isLive {
                reportLost(upTo: reader.progress.lost, &reportedLost)
                timeline.reconnect()
            } else if let shift = reader.progress.offset {
                place = Place(reader.progress)
                timeline.resume(after: place.picture, shift: shift)
            }
            switch reopen(policy, at: place, &attempts, failure) {
            case .opened(let next): reader = next
            case .ended(let failure): return sink.finish(throwing: failure)
            case .cancelled: return
            }
        }
    }

    /// Returns the next element of what readers read. The audio of a movie without video is always read.
    private func nextElement(
        of reader: MovieReader, _ demand: MediaDemand
    ) throws(ObscuraError) -> MovieReader.Element? {
        var wish = EncodedWish()
        if demand.contains(.encodedFrames), reader.encodedVideo != nil {
            wish.pictures = demand.contains(.frames) ? .beside : .only
        }
        var takesSound = demand.contains(.audio) || !reader.hasPictures
        if demand.contains(.encodedAudio) {
            if reader.encodedAudio != nil {
                wish.sound = demand.contains(.audio) ? .beside : .only
            } else {
                // Its readers end with the first buffer.
                takesSound = true
            }
        }
        return try reader.next(takingSound: takesSound && reader.hasSound, wish)
    }

    /// The position at which a movie resumes, on its own timeline; nil for its beginning.
    private struct Place {
        var picture: MediaTime?
        var sound: MediaTime?

        /// If the audio ended more than this before the video position, it has no more data: reading resumes at the
        /// video position.
        private static let patience = MediaTime(value: 10, timescale: 1)

        init() {}

        init(_ progress: ReadingProgress) {
            picture = progress.position
            sound = progress.soundPosition
            if let picture, let end = sound, end + Self.patience < picture { sound = picture }
        }
    }

    /// Returns the host time of an element that is not paced.
    private func time(of element: MovieReader.Element, _ reader: MovieReader) -> HostTime {
        reader.timing == .stream ? element.captureTime ?? clock.now : clock.now
    }

    /// Delivers a frame or an audio buffer, a file's when it is due. Returns false if the run was stopped.
    private func deliver(
        _ element: MovieReader.Element, at time: HostTime, of reader: MovieReader, _ timeline: inout MovieTimeline
    ) -> Bool {
        var due = time
        if options.pace == .realTime, reader.timing == .playback {
            due = timeline.dueTime(of: element.decodeTime, now: due)
            guard clock.wait(until: due, unless: thread.cancellation) else { return false }
        }
        if thread.cancellation.isCancelled { return false }
        switch element {
        case .picture(var frame):
            frame.hostTime = due
            timeline.note(frame)
            sink.receive(frame, buffersLeft: nil)
        case .sound(var sound):
            sound.hostTime = due
            timeline.note(sound)
            sink.receive(sound)
        case .encodedPicture(var frame):
            frame.hostTime = due
            // The time of capture is that of presentation; those of playback and of arrival are those of decoding.
            if reader.timing != .stream || frame.attachments.isHostTimeEstimated {
                frame.hostTime = due + (frame.presentationTime - frame.decodeTime).duration
            }
            timeline.note(frame)
            sink.receiveEncoded(frame)
        case .encodedSound(var packet):
            packet.hostTime = due
            timeline.note(packet)
            sink.receiveEncoded(packet)
        }
        return !thread.cancellation.isCancelled
    }

    private func reportLost(upTo count: Int, _ reported: inout Int) {
        while reported < count {
            sink.loseFrame()
            reported += 1
        }
    }

    /// The options for reconnecting; nil if this is the end.
    private func reconnection(of reader: MovieReader, _ failure: ObscuraError?) -> MovieReadingOptions.Reconnection? {
        guard reader.isNetwork else { return nil }
        switch failure?.code {
        case .connectionFailed?, .timedOut?, .unreadable?, .truncated?: return options.reconnection
        // A live stream has no end, so the connection was lost.
        case nil, .damaged?: return reader.isLive ? options.reconnection : nil
        default: return nil
        }
    }

    /// The result of opening a URL again.
    private enum Reopening {
        case opened(MovieReader)
        /// There is no other attempt, because it would fail as well, or because of the limit; with the last error.
        case ended(ObscuraError?)
        case cancelled
    }

    /// Opens the URL again, with increasing delays.
    private func reopen(
        _ policy: MovieReadingOptions.Reconnection, at place: Place, _ attempts: inout Int, _ failure: ObscuraError?
    ) -> Reopening {
        var failure = failure
        while true {
            if let limit = policy.attempts, attempts >= limit { return .ended(failure) }
            let pause = policy.delay(beforeAttempt: attempts)
            guard clock.wait(until: clock.now + pause, unless: thread.cancellation),
                !thread.cancellation.isCancelled
            else {
                return .cancelled
            }
            attempts += 1
            do throws(ObscuraError) {
                return .opened(
                    try MovieReader(
                        address, options: options, needsPictures: false, resumingAt: place.picture,
                        soundAt: place.sound,
                        control: control))
            } catch {
                if thread.cancellation.isCancelled { return .cancelled }
                if Self.isFinal(error) { return .ended(error) }
                failure = error
            }
        }
    }
}
