// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The decision whether an input is ready for another sample: a pure value.
///
/// An input for real-time media is ready while the queue of the encoder has room for it. Others wait for that room when
/// they append, and are ready unless they are far ahead of another input, so that the movie is interleaved.
struct WriterReadiness: Sendable {
    struct Track: Sendable {
        let isVideo: Bool
        var isRealTime = false
        var isFinished = false
        /// The end of the last sample of the segment; nil before the first one.
        fileprivate(set) var end: MediaTime?
        /// Number of samples that were appended.
        fileprivate(set) var count = 0

        init(isVideo: Bool) { self.isVideo = isVideo }
    }

    /// The number of frames of an input that may wait for the encoder.
    static let frameLimit = 4
    /// More audio buffers than frames can wait in ``AssetWriter``, because they are shorter.
    private static let audioLimit = frameLimit * 8
    /// The time by which an input may be ahead of others.
    private static let longestLead = MediaTime(value: 2, timescale: 1)

    var tracks: [Track] = []
    /// The start of the open segment; nil outside of one.
    private(set) var start: MediaTime?
    /// The tracks of the last samples, oldest first. The encoder takes them in this order.
    private var order: [Int] = []

    mutating func startSession(at time: MediaTime) {
        start = time
        for index in tracks.indices { tracks[index].end = nil }
    }

    mutating func endSession() {
        start = nil
    }

    mutating func note(_ sample: MediaSample, of index: Int) {
        let end = sample.presentationTime + (sample.duration ?? .zero)
        tracks[index].end = max(tracks[index].end ?? end, end)
        tracks[index].count += 1
        order.append(index)
        let most = tracks.count * Self.audioLimit
        if order.count > 2 * most { order.removeFirst(order.count - most) }
    }

    /// - Parameter waiting: number of samples, of all tracks, that wait for the encoder.
    func isReady(_ index: Int, waiting: Int) -> Bool {
        let track = tracks[index]
        guard !track.isFinished else { return false }
        if track.isRealTime { return order.suffix(waiting).count { $0 == index } < limit(track) }
        guard let start, let end = track.end else { return true }
        return tracks.indices.allSatisfy { other in
            other == index || tracks[other].isFinished || end - (tracks[other].end ?? start) <= Self.longestLead
        }
    }

    /// All inputs of audio share the places for audio.
    private func limit(_ track: Track) -> Int {
        track.isVideo ? Self.frameLimit : max(1, Self.audioLimit / tracks.count { !$0.isVideo })
    }
}
