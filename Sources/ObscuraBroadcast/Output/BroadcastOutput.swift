// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraCapture
public import ObscuraMedia
internal import ObscuraMovies

/// Sends a running session live: to servers by RTMP, RTSP, SRT and UDP, as HLS into a folder, into a movie.
///
/// ```swift
/// let broadcast = BroadcastOutput()
/// try await session.configure { configuration in
///     try configuration.addInput(CaptureDeviceInput(device: camera))
///     try configuration.addInput(CaptureDeviceInput(device: microphone))
///     try configuration.addOutput(broadcast)
/// }
/// try await session.start()
/// let events = broadcast.events
/// try broadcast.startBroadcast(to: [BroadcastDestination("rtmp://live.example.com/app/key")])
/// for await event in events {
///     print(event)
///     if case .finished = event { break }    // the session has stopped, or stopBroadcast() was called
/// }
/// ```
///
/// Pictures are encoded once for all destinations. None of them can touch the camera, the session's other readers or
/// one another: see ``BroadcastWriter``. A switch of cameras, another preset or a camera that drops out for a while do
/// not end a broadcast: later pictures are fitted to the size of the first.
///
/// Thread-safe. `Sendable` is proved by the properties: constants and a lock.
public final class BroadcastOutput: CaptureOutput, @unchecked Sendable {
    private struct State {
        var settings: BroadcastSettings
        var run: BroadcastRun?
        /// A start is under way, which may take a while: there is an encoder to be found.
        var isStarting = false
        var last: BroadcastStatistics?
    }

    private let outputs: SampleOutputs
    private let state: Lock<State>
    private let listeners = EventListeners<BroadcastEvent>()

    /// - Parameters:
    ///   - name: for accounts and messages.
    ///   - settings: how it is encoded and sent.
    public init(name: String = "broadcast", settings: BroadcastSettings = BroadcastSettings()) {
        outputs = SampleOutputs(name: name)
        state = Lock(State(settings: settings))
        super.init(name: name, parts: outputs.all)
    }

    /// How it is encoded and sent; for the next broadcast.
    public var settings: BroadcastSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    /// Whether a broadcast is under way.
    public var isBroadcasting: Bool { state.withLock { $0.run != nil } }

    /// How it goes; after the end, how it went; nil before the first broadcast.
    public var statistics: BroadcastStatistics? {
        let (run, last) = state.withLock { ($0.run, $0.last) }
        return run?.statistics ?? last
    }

    /// What happens to broadcasts, from now on. Each loop gets all of it; one that is more than 64 events behind loses
    /// the oldest.
    public var events: AsyncStream<BroadcastEvent> { listeners.makeStream() }

    /// Begins to send, with the next frame that comes. The destinations are connected to then, each by itself:
    /// ``events`` tell how that goes.
    ///
    /// - Throws: ``ObscuraError``: `invalidState` while one is under way, or if the session gives neither pictures
    ///   nor sound to this output; `invalidSettings`; `notWritable` for a movie or a list that cannot get its name.
    public func startBroadcast(to destinations: [BroadcastDestination]) throws(ObscuraError) {
        let settings = state.withLock { state -> BroadcastSettings? in
            guard state.run == nil, !state.isStarting else { return nil }
            state.isStarting = true
            return state.settings
        }
        guard let settings else {
            throw ObscuraError(
                .broadcast, .invalidState, subject: name, reason: "a broadcast is under way", advice: "Stop it first.")
        }
        defer { state.withLock { $0.isStarting = false } }
        let source = try outputs.source(video: true, audio: settings.audio != nil, for: .broadcast)
        var used = settings
        if !source.hasAudio { used.audio = nil }
        let writer = try BroadcastWriter(
            to: destinations, settings: used, hasVideo: source.hasVideo, listeners: listeners,
            announce: { [weak self] in self?.note($0) })
        let run = BroadcastRun(writer, source)
        state.withLock { $0.run = run }
        run.begin()
    }

    /// Ends the broadcast with what was taken up to now; see ``BroadcastWriter/finish()``.
    ///
    /// - Returns: how it went, also if it had ended by itself before; nil if there was none.
    @discardableResult
    nonisolated(nonsending) public func stopBroadcast() async -> BroadcastStatistics? {
        guard let run = state.withLock({ $0.run }) else { return state.withLock { $0.last } }
        return await run.stop()
    }

    private func note(_ event: BroadcastEvent) {
        if case .finished = event, let run = state.withLock({ $0.run }) {
            run.source.end()
            let statistics = run.statistics
            state.withLock { state in
                state.last = statistics
                state.run = nil
            }
        }
        listeners.send(event)
    }
}

// MARK: - The session's side

extension BroadcastOutput: CompositeOutput {
    package func partsDidStop() { state.withLock { $0.run }?.sessionStopped() }
}
