// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoDataOutput {
    /// The frames of an output as an asynchronous sequence; each iteration is a reader of its own.
    public struct Frames: AsyncSequence, Sendable {
        /// One frame after the other.
        public typealias Element = VideoFrame
        /// What the source says when it fails.
        public typealias Failure = CaptureError

        let output: VideoDataOutput

        /// A new reader of the output.
        public func makeAsyncIterator() -> Iterator {
            Iterator(reading: Reading(output: output))
        }

        /// One reader. Use it from one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            let reading: Reading

            /// The next frame; with the policy `latest` the newest there is. Asking says that the frame
            /// before is done with.
            ///
            /// - Returns: nil when the session stopped, the source is at its end, or the task was cancelled.
            /// - Throws: ``CaptureError`` when the source failed.
            nonisolated(nonsending) public mutating func next() async throws(CaptureError) -> VideoFrame? {
                try await reading.next()
            }

            /// The same, for callers on an actor.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(CaptureError) -> VideoFrame? {
                try await reading.next()
            }
        }
    }
}

/// The state of one loop over ``VideoDataOutput/frames``. When it goes, the reader is detached.
final class Reading: Sendable {
    private let output: VideoDataOutput
    private let reader: FrameReader
    /// When the loop's body began; nil while it does not run.
    private let bodyBegin = Lock<HostTime?>(nil)

    init(output: VideoDataOutput) {
        self.output = output
        reader = output.makeReader("loop")
        output.connection.attach(reader)
    }

    deinit {
        finishBody()
        output.connection.detach(reader)
    }

    nonisolated(nonsending) func next() async throws(CaptureError) -> VideoFrame? {
        finishBody()
        while true {
            if Task.isCancelled { output.connection.detach(reader) }
            switch reader.takeReady() {
            case .frame(let frame, _):
                bodyBegin.withLock { $0 = .now }
                return frame
            case .ended(nil):
                return nil
            case .ended(let error?):
                output.connection.detach(reader)
                throw error
            case .nothing:
                await ready(isolation: #isolation)
            }
        }
    }

    private func finishBody() {
        let begin = bodyBegin.withLock { begin in
            defer { begin = nil }
            return begin
        }
        guard let begin else { return }
        reader.finish()
        reader.stages.record(.handling, from: begin, to: .now)
    }

    /// Suspends until there may be something to take. Cancelling the task closes the reader, which is
    /// something to take.
    ///
    /// The closure names the actor, and so stays on it: without that it would run on the global executor, and
    /// each frame would change threads three times instead of once.
    private func ready(isolation actor: isolated (any Actor)?) async {
        await withTaskCancellationHandler(
            operation: {
                _ = actor
                await withCheckedContinuation(isolation: actor) { continuation in
                    reader.whenReady { continuation.resume() }
                }
            },
            onCancel: { output.connection.detach(reader) },
            isolation: actor)
    }
}
