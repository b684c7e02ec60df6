// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Samples of a movie with several tracks.
extension AssetWriter {
    /// Appends a frame or an audio buffer to a track; suspends the task while the queue of the encoder is full.
    ///
    /// - Parameters:
    ///   - sample: the frame or the audio buffer; for a track that is copied, the compressed frame or packet.
    ///   - track: the index of the track.
    /// - Throws: ``ObscuraError``, as ``append(_:)-(MediaSample)``; `invalidState` also if the track is for another
    ///   kind of sample.
    nonisolated(nonsending) public func append(_ sample: MediaSample, to track: Int) async throws(ObscuraError) {
        try await worker.append(TrackSample(content: .media(sample), track: track))
    }

    /// Appends a frame to a track; see ``append(_:to:)-(MediaSample,_)``.
    nonisolated(nonsending) public func append(_ frame: VideoFrame, to track: Int) async throws(ObscuraError) {
        try await append(.video(frame), to: track)
    }

    /// Appends an audio buffer to a track; see ``append(_:to:)-(MediaSample,_)``.
    nonisolated(nonsending) public func append(_ buffer: AudioBuffer, to track: Int) async throws(ObscuraError) {
        try await append(.audio(buffer), to: track)
    }

    /// Like ``append(_:to:)-(MediaSample,_)``, but blocks the thread. Returns false, without appending the sample, if the
    /// queue is still full at the deadline. If the deadline is nil, the wait has no limit.
    public func append(_ sample: MediaSample, to track: Int, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try worker.append(TrackSample(content: .media(sample), track: track), until: deadline)
    }

    /// Appends a subtitle or a chapter to a track; suspends the task while the queue is full.
    ///
    /// - Parameters:
    ///   - text: the subtitle or the chapter.
    ///   - track: the index of the track.
    /// - Throws: ``ObscuraError``: `invalidState` if no segment is open, if the track is of another kind, if the text
    ///   is empty or too long, if a subtitle has no duration, or if the text begins before the previous text of the
    ///   track has ended.
    nonisolated(nonsending) public func append(_ text: TimedText, to track: Int) async throws(ObscuraError) {
        try await append(TrackSample(content: .text(text), track: track))
    }

    /// Appends a location to a track; suspends the task while the queue is full.
    ///
    /// - Parameters:
    ///   - location: the location of the camera.
    ///   - track: the index of the track.
    /// - Throws: ``ObscuraError``: `invalidState` if no segment is open, if the track is of another kind, or if the
    ///   time is not later than the time of the previous location.
    nonisolated(nonsending) public func append(_ location: TimedLocation, to track: Int) async throws(ObscuraError) {
        try await append(TrackSample(content: .location(location), track: track))
    }

    nonisolated(nonsending) func append(_ sample: TrackSample) async throws(ObscuraError) {
        try await worker.append(sample)
    }
}
