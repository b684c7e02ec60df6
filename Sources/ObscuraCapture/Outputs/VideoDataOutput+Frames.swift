// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoDataOutput {
    /// The frames of an output as an asynchronous sequence; each iteration is a reader of its own.
    public struct Frames: AsyncSequence, Sendable {
        /// One frame after the other.
        public typealias Element = VideoFrame
        /// What the source says when it fails.
        public typealias Failure = ObscuraError

        let output: VideoDataOutput

        /// A new reader of the output.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                loop: ReaderLoop(output: output, connection: output.connection, reader: output.makeReader("loop")))
        }

        /// One reader. Use it from one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            let loop: ReaderLoop<FrameReader>

            /// The next frame; with the policy `latest` the newest there is. Asking says that the frame
            /// before is done with.
            ///
            /// - Returns: nil when the session stopped, the source is at its end, or the task was cancelled.
            /// - Throws: ``ObscuraError`` when the source failed.
            nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> VideoFrame? {
                try await loop.next()
            }

            /// The same, for callers on an actor.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(ObscuraError) -> VideoFrame? {
                try await loop.next()
            }
        }
    }
}
