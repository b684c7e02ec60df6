// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A writer that encodes frames and audio on its own thread: ``AssetWriter`` for movies, `BroadcastWriter` for live
/// streams.
///
/// A sample is retained until it is encoded. While the encoder is behind, `append(_:)` suspends the task,
/// `append(_:until:)` blocks the thread, and `tryAppend(_:)` returns immediately. All three throw the ``ObscuraError``
/// that ended the writer, such as `diskFull`, and `invalidState` after the writer is finished.
public protocol MediaWriter: Sendable {
    /// Appends a sample; suspends the task while the encoder is behind.
    ///
    /// - Throws: ``ObscuraError``: the error that ended the writer; `cancelled` if the task is cancelled while it
    ///   waits.
    nonisolated(nonsending) func append(_ sample: MediaSample) async throws(ObscuraError)
    /// Appends a sample; blocks the thread while the encoder is behind, until the deadline at most. Nil waits without a
    /// deadline.
    ///
    /// - Returns: false if the sample was not appended.
    func append(_ sample: MediaSample, until deadline: HostTime?) throws(ObscuraError) -> Bool
}

extension MediaWriter {
    /// Appends a sample, unless the encoder is behind. Does not wait. Returns false if the sample was not appended.
    public func tryAppend(_ sample: MediaSample) throws(ObscuraError) -> Bool {
        try append(sample, until: .now)
    }

    /// Appends a frame; suspends the task while the encoder is behind.
    nonisolated(nonsending) public func append(_ frame: VideoFrame) async throws(ObscuraError) {
        try await append(.video(frame))
    }

    /// Appends an audio buffer; suspends the task while the encoder is behind.
    nonisolated(nonsending) public func append(_ buffer: AudioBuffer) async throws(ObscuraError) {
        try await append(.audio(buffer))
    }

    /// Appends a frame; blocks the thread until the deadline at most. Returns false if the frame was not appended.
    public func append(_ frame: VideoFrame, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try append(.video(frame), until: deadline)
    }

    /// Appends an audio buffer; blocks the thread until the deadline at most. Returns false if the buffer was not
    /// appended.
    public func append(_ buffer: AudioBuffer, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try append(.audio(buffer), until: deadline)
    }

    /// Appends a frame, unless the encoder is behind. Returns false if the frame was not appended.
    public func tryAppend(_ frame: VideoFrame) throws(ObscuraError) -> Bool {
        try tryAppend(.video(frame))
    }

    /// Appends an audio buffer, unless the encoder is behind. Returns false if the buffer was not appended.
    public func tryAppend(_ buffer: AudioBuffer) throws(ObscuraError) -> Bool {
        try tryAppend(.audio(buffer))
    }
}
