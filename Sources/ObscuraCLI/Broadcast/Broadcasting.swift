// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Dispatch
internal import Obscura
internal import ObscuraBase

/// One run of `obscura broadcast` or `obscura serve`.
struct Broadcasting {
    private let options: BroadcastOptions
    private let destinations: [BroadcastDestination]
    private let settings: BroadcastSettings
    private let inputs: [CaptureDeviceInput]

    /// Opens the source. Ctrl-C still ends the process immediately.
    init(_ options: BroadcastOptions, to destinations: [BroadcastDestination], settings: BroadcastSettings) throws {
        try ProcessNeeds.checkForServer()
        try options.source.keepSource(from: destinations.map(\.address) + [options.tracing.file])
        self.options = options
        self.destinations = destinations
        self.settings = settings
        let source = options.source.resolvedName
        if !options.verbosity.quiet, let note = options.video.presetNote(for: source) { Terminal.complain(note) }
        inputs = try options.sound.inputs(
            of: source, reading: MovieReadingOptions(trust: options.source.trust), waits: options.source.wait)
    }

    private var isJSON: Bool { options.output.json }
    private var isQuiet: Bool { options.verbosity.quiet }

    /// - Parameters:
    ///   - onStart: called when Ctrl-C is handled as an orderly stop, before anything is sent.
    ///   - onConnected: called when a destination accepts the stream; returns whether it has reported that.
    /// - Throws: the error that ends the tool: `ObscuraError`, or an `ExitCode` if all errors were reported
    ///   already.
    func run(
        onStart: () -> Void = {}, onConnected: (BroadcastDestination) -> Bool = { _ in false }
    ) async throws {
        let session = CaptureSession()
        try await options.tracing.trace(
            overwrites: options.overwriting.overwrite, isQuiet: isQuiet || isJSON,
            with: { try session.trace(to: $0, options: $1) },
            while: { try await broadcast(with: session, onStart: onStart, onConnected: onConnected) })
    }

    private func broadcast(
        with session: CaptureSession, onStart: () -> Void, onConnected: (BroadcastDestination) -> Bool
    ) async throws {
        let broadcast = BroadcastOutput(settings: settings)
        options.video.picture.apply(to: broadcast.connection(with: .video))
        let copies = settings.copiesVideo
        try await session.configure { [preset = options.video.presetOrDefault, inputs] configuration in
            configuration.preset = preset
            for input in inputs { try configuration.addInput(input) }
            if copies, let camera = inputs.first, let mode = CopiedMode.format(of: camera.device, preset: preset) {
                try configuration.setFormat(mode, for: camera)
            }
            try configuration.addOutput(broadcast)
            if let other = inputs.dropFirst().first { try configuration.connect(broadcast, to: other) }
        }
        let events = broadcast.events
        // Whether frames can be copied is known only while the session runs.
        if copies { broadcast.holdSources() } else { try broadcast.startBroadcast(to: destinations) }
        let interruption = Interruption {
            Task {
                await broadcast.stopBroadcast()
                // Ends the wait for a source.
                await session.stop()
            }
        }
        let notice = options.source.waitNotice(for: inputs.first?.device, isQuiet: isQuiet || isJSON)
        onStart()
        do throws(ObscuraError) {
            try await session.start()
            if copies { try broadcast.startBroadcast(to: destinations) }
            notice.end()
        } catch {
            notice.end()
            await broadcast.stopBroadcast()
            if let code = await interruption.exitCode() { throw ExitCode(code) }
            throw error
        }
        let end = options.duration.time.map { Self.stop(broadcast, after: $0.duration) }
        let reports = isJSON ? Self.report(broadcast, of: session) : nil
        let progress = isQuiet || isJSON ? nil : ProgressReporter(broadcast, of: session)
        let (failure, told) = await follow(events, onConnected: onConnected)
        end?.cancel()
        progress?.finish()
        await session.stop()
        // The final statistics are the last ones. Only now, since this waits for a reader of standard output.
        reports?.finish()
        let code = await interruption.exitCode()
        try conclude(broadcast, session, failure, told: told)
        if failure != nil { throw ExitCode.failure }
        if let code { throw ExitCode(code) }
    }

    /// Waits for the end of the broadcast; returns its error, unless it was stopped, and the errors already
    /// reported.
    private func follow(
        _ events: AsyncStream<BroadcastEvent>, onConnected: (BroadcastDestination) -> Bool
    ) async -> (ObscuraError?, told: [ObscuraError]) {
        var told: [ObscuraError] = []
        for await event in events {
            if case .finished(let error) = event { return (error, told) }
            if isJSON { Self.write(BroadcastEventReport(event)) }
            switch event {
            case .finished: break
            case .connected(let destination):
                if !onConnected(destination) { say("\(destination.name): connected") }
            case .waiting(let destination, let error, _):
                say("\(destination.name): \(error.reason); trying again")
            case .failed(_, let error):
                Terminal.complain(error)
                told.append(error)
            case .bitRate(let bits): say("the video bit rate is now \(BroadcastLine.bits(Double(bits)))")
            }
        }
        return (nil, told)
    }

    private func say(_ words: String) {
        guard !isQuiet, !isJSON else { return }
        if Terminal.isErrorShown { Terminal.redraw() }
        Terminal.note("\(words)\n")
    }

    private func conclude(
        _ broadcast: BroadcastOutput, _ session: CaptureSession, _ failure: ObscuraError?, told: [ObscuraError]
    ) throws {
        let statistics = broadcast.statistics
        if let statistics, isJSON {
            Self.write(BroadcastReport(statistics, session.ledger, of: broadcast.name))
        }
        if isJSON { Self.write(BroadcastEventReport(.finished(failure))) }
        let failed = statistics?.destinations.filter { $0.state == .failed } ?? []
        // A destination whose server did not respond before the end has reported no error yet.
        for case let error? in failed.map(\.lastError) where error != failure && !told.contains(error) {
            Terminal.complain(error)
        }
        if let failure, !told.contains(failure) { throw failure }
        if let statistics, !isQuiet, !isJSON {
            Terminal.note(BroadcastLine.summary(statistics))
        }
        if !failed.isEmpty { throw ExitCode.failure }
    }

    private static func stop(_ broadcast: BroadcastOutput, after duration: Duration) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + .nanoseconds(Int(duration.wholeNanoseconds)))
        timer.setEventHandler { Task { await broadcast.stopBroadcast() } }
        timer.resume()
        return timer
    }

    private static func report(_ broadcast: BroadcastOutput, of session: CaptureSession) -> RepeatedJob {
        RepeatedJob("report", every: .seconds(1)) {
            if let statistics = broadcast.statistics {
                write(BroadcastReport(statistics, session.ledger, of: broadcast.name))
            }
        }
    }

    private static func write(_ value: some Encodable) {
        // Encoding cannot fail: the values are strings and finite numbers.
        if let text = try? JSONText.makeLine(value) { Terminal.write(text + "\n") }
    }
}
