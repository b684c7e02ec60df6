// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Encodes frames and sound from any source, on a thread of its own: ``AssetWriter``, and `BroadcastWriter` for live
/// streams.
///
/// A sample is held until it is encoded. The three ways to append differ in what happens while the encoder is behind:
/// the first suspends the task, the second blocks the thread, the third returns at once. All of them throw
/// ``ObscuraError``: what has ended the writer, such as `diskFull`, and `invalidState` after its end.
public protocol MediaWriter: Sendable {
    /// Takes a sample; suspends the task while the encoder is behind.
    ///
    /// - Throws: ``ObscuraError``; also `cancelled` if the task is cancelled while it waits.
    nonisolated(nonsending) func append(_ sample: MediaSample) async throws(ObscuraError)
    /// Takes a sample; blocks the thread while the encoder is behind, until the deadline at most. Nil is no deadline.
    ///
    /// - Returns: false if it was not taken.
    func append(_ sample: MediaSample, until deadline: HostTime?) throws(ObscuraError) -> Bool
}

extension MediaWriter {
    /// Takes a sample, unless the encoder is behind. Does not wait. Returns false if it was not taken.
    public func tryAppend(_ sample: MediaSample) throws(ObscuraError) -> Bool {
        try append(sample, until: .now)
    }

    /// Takes a frame; suspends the task while the encoder is behind.
    nonisolated(nonsending) public func append(_ frame: VideoFrame) async throws(ObscuraError) {
        try await append(.video(frame))
    }

    /// Takes sound; suspends the task while the encoder is behind.
    nonisolated(nonsending) public func append(_ buffer: AudioBuffer) async throws(ObscuraError) {
        try await append(.audio(buffer))
    }

    /// Takes a frame; blocks the thread until the deadline at most. Returns false if it was not taken.
    public func append(_ frame: VideoFrame, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try append(.video(frame), until: deadline)
    }

    /// Takes sound; blocks the thread until the deadline at most. Returns false if it was not taken.
    public func append(_ buffer: AudioBuffer, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try append(.audio(buffer), until: deadline)
    }

    /// Takes a frame, unless the encoder is behind. Returns false if it was not taken.
    public func tryAppend(_ frame: VideoFrame) throws(ObscuraError) -> Bool {
        try tryAppend(.video(frame))
    }

    /// Takes sound, unless the encoder is behind. Returns false if it was not taken.
    public func tryAppend(_ buffer: AudioBuffer) throws(ObscuraError) -> Bool {
        try tryAppend(.audio(buffer))
    }
}
