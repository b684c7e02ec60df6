// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
public import ObscuraMedia

extension MovieFileOutput {
    // MARK: Texts and locations

    /// Appends a subtitle or a chapter to a track of the recording.
    ///
    /// - Parameters:
    ///   - text: the text. Its time is on CLOCK_MONOTONIC for live sources (``HostTime/mediaTime``), otherwise a
    ///     presentation time of the source.
    ///   - track: the index in ``tracks``.
    /// - Returns: false if the text is not in the movie, because the recording is paused or waits for its first frame.
    /// - Throws: ``ObscuraError``, as ``AssetWriter/append(_:to:)-(TimedText,_)``; `invalidState` if no recording is running.
    @discardableResult
    nonisolated(nonsending) public func append(_ text: TimedText, to track: Int) async throws(ObscuraError) -> Bool {
        try await append(TrackSample(content: .text(text), track: track))
    }

    /// Appends a location to a track of the recording; see ``append(_:to:)-(TimedText,_)``.
    ///
    /// - Returns: false if the location is not in the movie, because the recording is paused or waits for its first frame.
    /// - Throws: ``ObscuraError``, as ``AssetWriter/append(_:to:)-(TimedLocation,_)``; `invalidState` if no recording is
    ///   running.
    @discardableResult
    nonisolated(nonsending) public func append(
        _ location: TimedLocation, to track: Int
    ) async throws(ObscuraError) -> Bool {
        try await append(TrackSample(content: .location(location), track: track))
    }

    nonisolated(nonsending) private func append(_ sample: TrackSample) async throws(ObscuraError) -> Bool {
        try await runningRecording().append(sample)
    }
}
