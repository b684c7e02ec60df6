// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Dispatch
internal import Obscura

/// One run of `obscura broadcast` or `obscura serve`.
struct Broadcasting {
    let plan: BroadcastPlan
    private let inputs: [CaptureDeviceInput]

    /// Finds what is sent. Nothing is touched yet but that: Ctrl-C still ends the process at once.
    init(plan: BroadcastPlan) throws {
        self.plan = plan
        inputs = try LiveInputs.find(
            DefaultSource.camera(unless: plan.source), microphone: plan.microphone, trust: plan.trust)
    }

    /// - Parameters:
    ///   - onStart: called when Ctrl-C brings an orderly end, before anything is sent.
    ///   - onConnected: called when a destination takes the stream; returns whether it has told that.
    /// - Throws: what ends the tool: `ObscuraError`, or an `ExitCode` when all has been said.
    func run(
        onStart: () -> Void = {}, onConnected: (BroadcastDestination) -> Bool = { _ in false }
    ) async throws {
        let broadcast = BroadcastOutput(settings: plan.settings)
        broadcast.connection(with: .video)?.orientation = plan.orientation
        broadcast.connection(with: .video)?.isMirrored = plan.isMirrored
        broadcast.connection(with: .video)?.effects = plan.effects
        let session = CaptureSession()
        try await session.configure { [preset = plan.preset, inputs] configuration in
            configuration.preset = preset
            for input in inputs { try configuration.addInput(input) }
            try configuration.addOutput(broadcast)
            if let other = inputs.dropFirst().first { try configuration.connect(broadcast, to: other) }
        }
        let events = broadcast.events
        try broadcast.startBroadcast(to: plan.destinations)
        let interruption = Interruption { Task { await broadcast.stopBroadcast() } }
        onStart()
        do throws(ObscuraError) {
            try await session.start()
        } catch {
            await broadcast.stopBroadcast()
            _ = await interruption.exitCode()
            throw error
        }
        let end = plan.duration.map { Self.stop(broadcast, after: $0) }
        let reports = plan.isJSON ? Self.report(broadcast, of: session) : nil
        let progress = plan.isQuiet || plan.isJSON ? nil : ProgressReporter(broadcast, of: session)
        let (failure, told) = await follow(events, onConnected: onConnected)
        end?.cancel()
        reports?.cancel()
        progress?.finish()
        await session.stop()
        let code = await interruption.exitCode()
        try conclude(broadcast, session, failure, told: told)
        if failure != nil { throw ExitCode.failure }
        if let code { throw ExitCode(code) }
    }

    /// Until the broadcast has ended; why, unless somebody stopped it, and what has been told.
    private func follow(
        _ events: AsyncStream<BroadcastEvent>, onConnected: (BroadcastDestination) -> Bool
    ) async -> (ObscuraError?, told: [ObscuraError]) {
        var told: [ObscuraError] = []
        for await event in events {
            if case .finished(let error) = event { return (error, told) }
            if plan.isJSON { Self.write(BroadcastEventReport(event)) }
            switch event {
            case .finished: break
            case .connected(let destination):
                if !onConnected(destination) { say("\(destination.name): connected") }
            case .waiting(let destination, let error, _):
                say("\(destination.name): \(error.reason); trying again")
            case .failed(_, let error):
                Terminal.complain(error)
                told.append(error)
            case .bitRate(let bits): say("the picture now has \(BroadcastLine.bits(Double(bits)))")
            }
        }
        return (nil, told)
    }

    private func say(_ words: String) {
        guard !plan.isQuiet, !plan.isJSON else { return }
        if Terminal.isErrorShown { Terminal.redraw() }
        Terminal.note("\(words)\n")
    }

    private func conclude(
        _ broadcast: BroadcastOutput, _ session: CaptureSession, _ failure: ObscuraError?, told: [ObscuraError]
    ) throws {
        let statistics = broadcast.statistics
        if let statistics, plan.isJSON {
            Self.write(BroadcastReport(statistics, session.ledger, of: broadcast.name))
        }
        if plan.isJSON { Self.write(BroadcastEventReport(.finished(failure))) }
        let failed = statistics?.destinations.filter { $0.state == .failed } ?? []
        // Whose server had not answered yet when the end came has told nothing before.
        for case let error? in failed.map(\.lastError) where error != failure && !told.contains(error) {
            Terminal.complain(error)
        }
        if let failure, !told.contains(failure) { throw failure }
        if let statistics, !plan.isQuiet, !plan.isJSON {
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

    private static func report(_ broadcast: BroadcastOutput, of session: CaptureSession) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1))
        timer.setEventHandler {
            if let statistics = broadcast.statistics {
                write(BroadcastReport(statistics, session.ledger, of: broadcast.name))
            }
        }
        timer.resume()
        return timer
    }

    private static func write(_ value: some Encodable) {
        // Numbers and words, always.
        if let text = try? JSONText.makeLine(value) { Terminal.write(text + "\n") }
    }
}
