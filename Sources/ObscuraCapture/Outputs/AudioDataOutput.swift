// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// An output that delivers the audio of a session, unchanged or converted to a requested format.
///
/// Audio can be read in two ways, also at the same time: with a delegate on a queue of the caller, or with ``buffers``,
/// an asynchronous sequence. Each delegate and each iteration is a separate reader with its own queue and statistics. A
/// buffer contains about 10 to 40 ms of audio, depending on the device or the file.
///
/// Thread-safe.
public final class AudioDataOutput: DataOutput, @unchecked Sendable {  // Its only property is a lock.
    private let audioFormat: Lock<AudioFormat?>

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - name: The name in statistics and messages.
    ///   - format: The audio format of the buffers; nil keeps the format of the source.
    ///   - latePolicy: The handling of buffers that arrive while a reader is busy. By default up to 128 buffers
    ///     are queued, more than one second of microphone audio.
    public init(name: String = "audio", format: AudioFormat? = nil, latePolicy: LateFramePolicy = .bounded(128)) {
        audioFormat = Lock(format)
        super.init(name: name, mediaType: .audio, latePolicy: latePolicy)
    }

    /// The audio format of the buffers; nil keeps the format of the source.
    public var format: AudioFormat? {
        get { audioFormat.withLock { $0 } }
        set { audioFormat.withLock { $0 = newValue } }
    }

    /// The audio buffers, for a `for try await` loop. Each loop is a separate reader.
    ///
    /// The loop waits for the session to start, ends when the session stops or the source ends, and throws
    /// ``ObscuraError`` when the source fails. Leaving the loop or cancelling its task detaches the reader at once.
    public var buffers: Buffers { Buffers(output: self) }

    /// The audio of an output as an asynchronous sequence. Each iteration is a separate reader.
    public struct Buffers: AsyncSequence, Sendable {
        /// A buffer of audio.
        public typealias Element = AudioBuffer
        /// The error thrown when the source fails.
        public typealias Failure = ObscuraError

        let output: AudioDataOutput

        /// Returns an iterator that reads the audio independently of other iterators.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                loop: ReaderLoop(owner: output, connection: output.connection, reader: output.makeReader("loop")))
        }

        /// An iterator over the audio buffers. Use it from one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            let loop: ReaderLoop<AudioReader>

            /// Returns the next buffer, and counts the previous buffer as delivered in the statistics.
            ///
            /// - Returns: The next buffer; nil if the session has stopped, the source has ended, or the task was
            ///   cancelled.
            /// - Throws: ``ObscuraError`` when the source has failed.
            nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> AudioBuffer? {
                try await loop.next()
            }

            /// Does the same as `next()`, for callers on an actor.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(ObscuraError) -> AudioBuffer? {
                try await loop.next()
            }
        }
    }

    func makeReader(_ kind: String, onDrop: @escaping @Sendable (DroppedFrame) -> Void = { _ in }) -> AudioReader {
        let (name, policy) = nextReader(kind)
        return AudioReader(name: name, policy: policy, settings: { [weak self] in self?.format }, onDrop: onDrop)
    }
}
