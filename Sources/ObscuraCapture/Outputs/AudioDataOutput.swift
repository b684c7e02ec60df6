// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// Delivers the audio of a session in its original or a requested format.
///
/// Audio can be read in two ways, also at the same time: with a delegate on a queue of the caller, or with
/// ``buffers``, an asynchronous sequence. Each delegate and each iteration is a separate reader with its own queue
/// and statistics. Buffers last about 10 to 40 ms, depending on the device or the file.
///
/// Thread-safe.
public final class AudioDataOutput: CaptureOutput, SessionOutput {
    private struct State {
        var format: AudioFormat?
        var latePolicy: LateFramePolicy
        var readers = 0
    }

    /// The name of the output, used in statistics and messages.
    public let name: String
    /// The link to an input, with the audio levels and the volume.
    public let connection: CaptureConnection
    private let state: Lock<State>
    let delegateSlot = DelegateSlot<AudioReader>()

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - name: The name in statistics and messages.
    ///   - format: The audio format; nil keeps the original format.
    ///   - latePolicy: The handling of buffers that arrive while a reader is busy. By default up to 128 buffers
    ///     are queued, more than one second of microphone audio.
    public init(name: String = "audio", format: AudioFormat? = nil, latePolicy: LateFramePolicy = .bounded(128)) {
        self.name = name
        connection = CaptureConnection(outputName: name, mediaType: .audio)
        state = Lock(State(format: format, latePolicy: latePolicy))
    }

    /// The audio format; nil keeps the original format.
    public var format: AudioFormat? {
        get { state.withLock { $0.format } }
        set { state.withLock { $0.format = newValue } }
    }

    /// The handling of buffers that arrive while a reader is busy. A change applies to readers that begin after it.
    public var latePolicy: LateFramePolicy {
        get { state.withLock { $0.latePolicy } }
        set { state.withLock { $0.latePolicy = newValue } }
    }

    /// The audio buffers, for a `for try await` loop. Each loop is a separate reader.
    ///
    /// The loop waits for the session to start, ends when the session stops or the source ends, and throws
    /// ``ObscuraError`` when the source fails. Leaving the loop or cancelling its task detaches the reader at once.
    public var buffers: Buffers { Buffers(output: self) }

    /// The audio of an output as an asynchronous sequence; each iteration is a separate reader.
    public struct Buffers: AsyncSequence, Sendable {
        /// A buffer of audio.
        public typealias Element = AudioBuffer
        /// The error thrown when the source fails.
        public typealias Failure = ObscuraError

        let output: AudioDataOutput

        /// Returns a new reader of the output.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                loop: ReaderLoop(output: output, connection: output.connection, reader: output.makeReader("loop")))
        }

        /// A single reader. Must be used by one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            let loop: ReaderLoop<AudioReader>

            /// Returns the next buffer. The call also marks the previous buffer as handled.
            ///
            /// - Returns: Nil when the session has stopped, the source has ended, or the task was cancelled.
            /// - Throws: ``ObscuraError`` when the source has failed.
            nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> AudioBuffer? {
                try await loop.next()
            }

            /// Does the same for callers on an actor.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(ObscuraError) -> AudioBuffer? {
                try await loop.next()
            }
        }
    }

    func makeReader(_ kind: String, onDrop: @escaping @Sendable (DroppedFrame) -> Void = { _ in }) -> AudioReader {
        let (policy, number) = state.withLock { state in
            state.readers += 1
            return (state.latePolicy, state.readers)
        }
        return AudioReader(
            name: "\(name) \(kind) \(number)", policy: policy, settings: { [weak self] in self?.format },
            onDrop: onDrop)
    }
}

// MARK: - The session's side

extension AudioDataOutput {
    /// The single connection of the output.
    public var connections: [CaptureConnection] { [connection] }

    /// Nil, since the output takes no video.
    package var checkedRequest: ImageRequest? { nil }

    package func sessionWillStop() -> [any RunningCallback] {
        let callbacks = delegateSlot.pause()
        for reader in connection.readers { connection.detach(reader) }
        connection.renew()
        return callbacks
    }

    package func sessionWillStart() {
        // Must precede the renewal of the readers by the connection: otherwise a reader that ended without a frame
        // would be renewed, and then closed by the callback that still reports that end.
        delegateSlot.closeIfEnded()
        connection.renew()
        delegateSlot.open()
    }
}
