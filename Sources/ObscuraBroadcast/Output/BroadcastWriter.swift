// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
public import ObscuraMedia
public import ObscuraMovies

/// A writer that broadcasts video and audio frame by frame from any source: rendered frames, a decoder, a session.
///
/// ```swift
/// let destination = try BroadcastDestination("rtmp://live.example.com/app/key")
/// let broadcast = try BroadcastWriter(to: [destination], settings: BroadcastSettings(bitRate: 3_000_000))
/// while isRunning { try await broadcast.append(drawFrame()) }    // in real time
/// await broadcast.finish()
/// ```
///
/// Video and audio are encoded once and sent to all destinations. Destinations are connected when the first frame has
/// been encoded. A slow or lost destination does not affect the other destinations. If a destination is slow, groups of
/// pictures that cannot be sent in time are dropped and counted. A lost connection is reopened. After a loss, the
/// stream continues with a key frame.
///
/// While the queue of the encoder is full, the append methods wait or drop the sample; see `MediaWriter`. The stream
/// uses the presentation times of the appended samples, which should advance in real time. Thread-safe.
public final class BroadcastWriter: MediaWriter {
    /// Number of frames that may wait for the encoder. Eight times as many audio buffers may wait, which are shorter.
    private static let depth = 8

    private let worker: BroadcastWorker
    private let listeners: EventListeners<BroadcastEvent>

    /// Creates a writer, and validates the settings and the file names. Connections are opened after the first frame.
    ///
    /// - Parameters:
    ///   - destinations: at least one destination, without duplicates.
    ///   - settings: settings for encoding and sending.
    ///   - hasVideo: whether to send video; false sends only audio.
    /// - Throws: ``ObscuraError``: `invalidSettings`; `encoderUnavailable` if no audio encoder is available;
    ///   `fileExists` if a movie or its partial file (`movie.recording.mp4`) already exists; `notWritable` if a movie
    ///   or a playlist cannot be created under its name; `libraryMissing` without FFmpeg.
    public convenience init(
        to destinations: [BroadcastDestination], settings: BroadcastSettings = BroadcastSettings(),
        hasVideo: Bool = true
    ) throws(ObscuraError) {
        let listeners = EventListeners<BroadcastEvent>()
        try self.init(
            to: destinations, settings: settings, hasVideo: hasVideo, metrics: DeliveryMetrics(output: "broadcast"),
            listeners: listeners, announce: { listeners.send($0) })
    }

    /// - Parameters:
    ///   - metrics: the metrics of the output.
    ///   - patience: maximum time for the encoder, and then for each destination except movies, to end.
    ///   - announce: receives the events instead of the listeners, on any thread; must not block.
    init(
        to destinations: [BroadcastDestination], settings: BroadcastSettings, hasVideo: Bool, metrics: DeliveryMetrics,
        patience: Duration = BroadcastWorker.patience, listeners: EventListeners<BroadcastEvent>,
        announce: @escaping @Sendable (BroadcastEvent) -> Void
    ) throws(ObscuraError) {
        guard !destinations.isEmpty else { throw .invalidSettings(.broadcast, "broadcast", "it has no destination") }
        guard Set(destinations).count == destinations.count else {
            throw .invalidSettings(.broadcast, "broadcast", "a destination is listed more than once")
        }
        guard hasVideo || settings.audio != nil else {
            throw .invalidSettings(.broadcast, "broadcast", "it has neither video nor audio")
        }
        try settings.check(destinations)
        for destination in destinations { try destination.checkFile() }
        self.listeners = listeners
        worker = try BroadcastWorker(
            destinations, settings: settings, hasVideo: hasVideo, metrics: metrics, depth: Self.depth,
            patience: patience, announce: announce)
    }

    /// A new stream of the events of the broadcast, beginning at the time of access. The stream buffers 64 unread
    /// events; if there are more, the oldest are lost.
    public var events: AsyncStream<BroadcastEvent> { listeners.makeStream() }

    /// The current statistics.
    public var statistics: BroadcastStatistics { worker.statistics }

    /// Appends a frame or an audio buffer; suspends the task while the queue of the encoder is full. Use this method
    /// for sources that can wait.
    ///
    /// - Throws: ``ObscuraError``: the error that ended the broadcast; `invalidState` after ``finish()``; `cancelled`
    /// if the task is cancelled while it waits.
    nonisolated(nonsending) public func append(_ sample: MediaSample) async throws(ObscuraError) {
        try await worker.append(sample)
    }

    /// Appends a frame or an audio buffer; blocks the thread while the queue of the encoder is full, at most until the
    /// deadline. If the deadline is nil, the wait has no limit.
    ///
    /// Returns false if the sample was dropped because the queue was still full at the deadline. Dropped samples are
    /// counted in ``BroadcastStatistics/lateFrames`` and ``BroadcastStatistics/lateAudioBuffers``.
    public func append(_ sample: MediaSample, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try worker.append(sample, until: deadline)
    }

    /// Ends the broadcast with the appended samples: sends the waiting packets for at most two seconds, closes the
    /// connections, and completes movies, which get every appended frame.
    ///
    /// - Returns: the final statistics.
    @discardableResult
    nonisolated(nonsending) public func finish() async -> BroadcastStatistics {
        await withCheckedContinuation { continuation in
            worker.finish { continuation.resume() }
        }
        return statistics
    }

    /// Like ``finish()``, but does not wait for the end.
    func finishByItself(because reason: ObscuraError? = nil) {
        worker.finish(because: reason) {}
    }
}
