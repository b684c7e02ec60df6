// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoDataOutput {
    /// The frames of an output or of a ``PreviewSubscription``, as an asynchronous sequence; each iteration is a
    /// separate reader.
    public struct Frames: AsyncSequence, Sendable {
        /// A video frame.
        public typealias Element = VideoFrame
        /// The error thrown when the source fails.
        public typealias Failure = ObscuraError

        let makeLoop: @Sendable () -> ReaderLoop<FrameReader>

        /// Returns a new reader.
        public func makeAsyncIterator() -> Iterator { Iterator(loop: makeLoop()) }

        /// A single reader. Must be used by one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            let loop: ReaderLoop<FrameReader>

            /// Returns the next frame, or the newest frame with the policy ``LateFramePolicy/latest``. The call also
            /// marks the previous frame as handled.
            ///
            /// - Returns: Nil when the session has stopped, the source has ended, or the task was cancelled.
            /// - Throws: ``ObscuraError`` when the source has failed.
            nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> VideoFrame? {
                try await loop.next()
            }

            /// Does the same as `next()`, for callers on an actor.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(ObscuraError) -> VideoFrame? {
                try await loop.next()
            }
        }
    }
}
