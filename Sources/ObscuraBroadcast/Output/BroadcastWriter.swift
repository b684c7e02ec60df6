// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
public import ObscuraMedia
public import ObscuraMovies

/// Sends pictures and sound live, frame by frame, from any source: pictures that are drawn, a decoder, a session.
///
/// ```swift
/// let destination = try BroadcastDestination("rtmp://live.example.com/app/key")
/// let broadcast = try BroadcastWriter(to: [destination], settings: BroadcastSettings(bitRate: 3_000_000))
/// while isRunning { try await broadcast.append(drawFrame()) }    // each when it is due
/// await broadcast.finish()
/// ```
///
/// Everything is encoded once, and goes to all destinations. A destination that is slow or away costs only itself:
/// groups of pictures are left out for it, it is connected to again, and it begins anew with a key frame. It is
/// connected to when the first picture has been encoded.
///
/// What a network cannot take in time is left out, and counted. While the encoder is behind, the source waits or its
/// samples are left out, as you append them; see `MediaWriter`. Times are those of what is appended, and should be those
/// of a clock. Any thread.
public final class BroadcastWriter: MediaWriter {
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

    /// Takes a frame or sound; suspends the task while the encoder is behind. For sources that can wait.
    ///
    /// - Throws: ``ObscuraError``: what has ended the broadcast; `invalidState` after ``finish()``; `cancelled` if the
    ///   task is cancelled while it waits.
    nonisolated(nonsending) public func append(_ sample: MediaSample) async throws(ObscuraError) {
        try await worker.append(sample)
    }

    /// As ``append(_:)-(MediaSample)``, but blocks the thread, until the deadline at most. Returns false, and has left
    /// the sample out, if there was no room before; a frame is counted then (``BroadcastStatistics/lateFrames``).
    public func append(_ sample: MediaSample, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try worker.append(sample, until: deadline)
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
