// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A writer that encodes frames and audio on its own thread: ``AssetWriter`` for movies, `BroadcastWriter` for live
/// streams.
///
/// Appended samples wait in a queue of limited length until they are encoded. While the queue is full, `append(_:)`
/// suspends the task, `append(_:until:)` blocks the thread, and `tryAppend(_:)` returns false. All three throw the
/// ``ObscuraError`` that ended the writer, such as `diskFull`, and `invalidState` after the writer is finished.
public protocol MediaWriter: Sendable {
    /// Appends a sample; suspends the task while the queue of the encoder is full.
    ///
    /// - Throws: ``ObscuraError``: the error that ended the writer; `cancelled` if the task is cancelled while it
    ///   waits.
    nonisolated(nonsending) func append(_ sample: MediaSample) async throws(ObscuraError)
    /// Appends a sample; blocks the thread while the queue of the encoder is full.
    ///
    /// - Parameters:
    ///   - sample: the frame or the sound.
    ///   - deadline: the latest end of the wait; nil waits without a limit.
    /// - Returns: false if the queue was still full at the deadline; the sample is then not appended.
    func append(_ sample: MediaSample, until deadline: HostTime?) throws(ObscuraError) -> Bool
}

extension MediaWriter {
    /// Appends a sample, unless the queue of the encoder is full. Returns false if the queue is full. Does not wait.
    public func tryAppend(_ sample: MediaSample) throws(ObscuraError) -> Bool {
        try append(sample, until: .now)
    }

    /// Appends a frame; suspends the task while the queue of the encoder is full.
    nonisolated(nonsending) public func append(_ frame: VideoFrame) async throws(ObscuraError) {
        try await append(.video(frame))
    }

    /// Appends an audio buffer; suspends the task while the queue of the encoder is full.
    nonisolated(nonsending) public func append(_ buffer: AudioBuffer) async throws(ObscuraError) {
        try await append(.audio(buffer))
    }

    /// Appends a frame; blocks the thread while the queue of the encoder is full. Returns false if the queue was still
    /// full at the deadline. If the deadline is nil, the wait has no limit.
    public func append(_ frame: VideoFrame, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try append(.video(frame), until: deadline)
    }

    /// Appends an audio buffer; blocks the thread while the queue of the encoder is full. Returns false if the queue
    /// was still full at the deadline. If the deadline is nil, the wait has no limit.
    public func append(_ buffer: AudioBuffer, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try append(.audio(buffer), until: deadline)
    }

    /// Appends a frame, unless the queue of the encoder is full. Returns false if the queue is full.
    public func tryAppend(_ frame: VideoFrame) throws(ObscuraError) -> Bool {
        try tryAppend(.video(frame))
    }

    /// Appends an audio buffer, unless the queue of the encoder is full. Returns false if the queue is full.
    public func tryAppend(_ buffer: AudioBuffer) throws(ObscuraError) -> Bool {
        try tryAppend(.audio(buffer))
    }
}
