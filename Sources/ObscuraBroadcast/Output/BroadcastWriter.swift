// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
public import ObscuraMedia

/// Sends pictures and sound live, frame by frame, from any source: pictures that are drawn, a decoder, a session.
///
/// ```swift
/// let destination = try BroadcastDestination("rtmp://live.example.com/app/key")
/// let broadcast = try BroadcastWriter(to: [destination], settings: BroadcastSettings(bitRate: 3_000_000))
/// while isRunning { try broadcast.append(drawFrame()) }    // each when it is due
/// await broadcast.finish()
/// ```
///
/// Everything is encoded once, and goes to all destinations. A destination that is slow or away costs only itself:
/// groups of pictures are left out for it, it is connected to again, and it begins anew with a key frame. It is
/// connected to when the first picture has been encoded.
///
/// Live means: what the encoder or a network cannot take in time is left out, and counted; nothing waits. Times are
/// those of what is appended, and should be those of a clock. Any thread.
public final class BroadcastWriter: Sendable {
    /// How many pictures may wait for the encoder, and eight times as many pieces of sound, which are shorter.
    private static let depth = 8

    private let worker: BroadcastWorker
    private let listeners: EventListeners<BroadcastEvent>

    /// Checks the settings, and the names of files. Nothing is connected to before the first picture.
    ///
    /// - Parameters:
    ///   - destinations: one at least, each once.
    ///   - hasVideo: false sends sound alone.
    /// - Throws: ``ObscuraError``: `invalidSettings`; `notWritable` for a movie or a list that cannot get its name.
    public convenience init(
        to destinations: [BroadcastDestination], settings: BroadcastSettings = BroadcastSettings(),
        hasVideo: Bool = true
    ) throws(ObscuraError) {
        let listeners = EventListeners<BroadcastEvent>()
        try self.init(
            to: destinations, settings: settings, hasVideo: hasVideo, listeners: listeners,
            announce: { listeners.send($0) })
    }

    /// - Parameter announce: is told what happens, instead of the listeners, on any thread; must not block.
    init(
        to destinations: [BroadcastDestination], settings: BroadcastSettings, hasVideo: Bool,
        listeners: EventListeners<BroadcastEvent>, announce: @escaping @Sendable (BroadcastEvent) -> Void
    ) throws(ObscuraError) {
        guard !destinations.isEmpty else { throw .invalidSettings(.broadcast, "broadcast", "it has no destination") }
        guard Set(destinations).count == destinations.count else {
            throw .invalidSettings(.broadcast, "broadcast", "it has a destination twice")
        }
        guard hasVideo || settings.audio != nil else {
            throw .invalidSettings(.broadcast, "broadcast", "it needs pictures or sound")
        }
        try settings.check(destinations)
        for destination in destinations { try destination.checkFile() }
        self.listeners = listeners
        worker = try BroadcastWorker(
            destinations, settings: settings, hasVideo: hasVideo, depth: Self.depth, announce: announce)
    }

    /// What happens, from now on. Each loop gets all of it; one that is more than 64 events behind loses the oldest.
    public var events: AsyncStream<BroadcastEvent> { listeners.makeStream() }

    /// How it goes, at this moment.
    public var statistics: BroadcastStatistics { worker.statistics }

    /// Takes a picture. Does not wait: returns false, and has left it out, while the encoder is behind.
    ///
    /// - Throws: ``ObscuraError``: what has ended the broadcast; `invalidState` after ``finish()``.
    @discardableResult
    public func append(_ frame: VideoFrame) throws(ObscuraError) -> Bool {
        try worker.append(.video(frame), until: nil)
    }

    /// Takes sound. Does not wait: returns false, and has left it out, while the encoder is behind.
    ///
    /// - Throws: as ``append(_:)-(VideoFrame)`` does.
    @discardableResult
    public func append(_ buffer: AudioBuffer) throws(ObscuraError) -> Bool {
        try worker.append(.audio(buffer), until: nil)
    }

    /// As ``append(_:)-(VideoFrame)``, but blocks the thread until there is room or the deadline has come.
    package func appendBlocking(_ frame: VideoFrame, until deadline: HostTime) throws(ObscuraError) -> Bool {
        try worker.append(.video(frame), until: deadline)
    }

    /// As ``append(_:)-(AudioBuffer)``, but blocks the thread until there is room or the deadline has come.
    package func appendBlocking(_ buffer: AudioBuffer, until deadline: HostTime) throws(ObscuraError) -> Bool {
        try worker.append(.audio(buffer), until: deadline)
    }

    /// Ends the broadcast with what was appended: sends what waits, for at most two seconds, tells the servers, and
    /// makes movies whole.
    ///
    /// - Returns: how it went.
    @discardableResult
    nonisolated(nonsending) public func finish() async -> BroadcastStatistics {
        await withCheckedContinuation { continuation in
            worker.finish { continuation.resume() }
        }
        return statistics
    }

    /// As ``finish()``, but does not wait for the end.
    func finishByItself(because reason: ObscuraError? = nil) {
        worker.finish(because: reason) {}
    }
}
