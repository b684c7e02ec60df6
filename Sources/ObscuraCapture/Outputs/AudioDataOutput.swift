// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// Hands out the sound of a session as it comes, or in the form that is asked for.
///
/// Two ways to read, at the same time if need be: a delegate on a queue of the caller's, or ``buffers``, an
/// asynchronous sequence. Each delegate and each iteration is a reader of its own, with a mailbox and an account of
/// its own. Buffers are some 10 to 40 ms long, as the device or the file has them.
///
/// Thread-safe.
public final class AudioDataOutput: CaptureOutput, SessionOutput {
    private struct State {
        var format: AudioFormat?
        var lateBuffers: LateFramePolicy
        var readers = 0
    }

    /// The name of the output, for accounts and messages.
    public let name: String
    /// Its link to an input, with the levels and the volume.
    public let connection: CaptureConnection
    private let state: Lock<State>
    let delegateSlot = DelegateSlot<AudioReader>()

    /// - Parameters:
    ///   - name: for accounts and messages.
    ///   - format: the form of the sound; nil takes it as it comes.
    ///   - lateBuffers: what happens to sound that comes while a reader is busy. By default 128 buffers wait, more
    ///     than a second of a microphone's.
    public init(name: String = "audio", format: AudioFormat? = nil, lateBuffers: LateFramePolicy = .bounded(128)) {
        self.name = name
        connection = CaptureConnection(outputName: name, mediaType: .audio)
        state = Lock(State(format: format, lateBuffers: lateBuffers))
    }

    /// The form of the sound; nil takes it as it comes.
    public var format: AudioFormat? {
        get { state.withLock { $0.format } }
        set { state.withLock { $0.format = newValue } }
    }

    /// What happens to sound that comes while a reader is busy. For readers that begin after the change.
    public var lateBuffers: LateFramePolicy {
        get { state.withLock { $0.lateBuffers } }
        set { state.withLock { $0.lateBuffers = newValue } }
    }

    /// The sound, for a `for try await` loop. Each loop is a reader of its own.
    ///
    /// The loop waits for the session to start, ends when the session stops or the source is at its end,
    /// and throws ``ObscuraError`` when the source fails. Leaving the loop or cancelling its task detaches
    /// the reader at once.
    public var buffers: Buffers { Buffers(output: self) }

    /// The sound of an output as an asynchronous sequence; each iteration is a reader of its own.
    public struct Buffers: AsyncSequence, Sendable {
        /// One stretch of sound after the other.
        public typealias Element = AudioBuffer
        /// What the source says when it fails.
        public typealias Failure = ObscuraError

        let output: AudioDataOutput

        /// A new reader of the output.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                loop: ReaderLoop(output: output, connection: output.connection, reader: output.makeReader("loop")))
        }

        /// One reader. Use it from one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            let loop: ReaderLoop<AudioReader>

            /// The next buffer. Asking says that the one before is done with.
            ///
            /// - Returns: nil when the session stopped, the source is at its end, or the task was cancelled.
            /// - Throws: ``ObscuraError`` when the source failed.
            nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> AudioBuffer? {
                try await loop.next()
            }

            /// The same, for callers on an actor.
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
            return (state.lateBuffers, state.readers)
        }
        return AudioReader(
            name: "\(name) \(kind) \(number)", policy: policy, settings: { [weak self] in self?.format },
            onDrop: onDrop)
    }
}

// MARK: - The session's side

extension AudioDataOutput {
    /// The one connection that it has.
    public var connections: [CaptureConnection] { [connection] }

    /// It takes no pictures.
    package var checkedRequest: ImageRequest? { nil }

    package func sessionWillStop() -> [any RunningCallback] {
        let callbacks = delegateSlot.pause()
        for reader in connection.readers { connection.detach(reader) }
        connection.renew()
        return callbacks
    }

    package func sessionWillStart() {
        // Before the connection renews its readers: one that ended without a frame would live on, and be closed by
        // the callback that still tells of that end.
        delegateSlot.closeIfEnded()
        connection.renew()
        delegateSlot.open()
    }
}
