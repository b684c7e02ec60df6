// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoDataOutput {
    /// The frames of an output or of a ``PreviewSubscription``, as an asynchronous sequence. Each iteration is a
    /// separate reader.
    public struct Frames: AsyncSequence, Sendable {
        /// A video frame.
        public typealias Element = VideoFrame
        /// The error thrown when the source fails.
        public typealias Failure = ObscuraError

        let makeLoop: @Sendable () -> ReaderLoop<FrameReader>

        /// Returns an iterator that reads the frames independently of other iterators.
        public func makeAsyncIterator() -> Iterator { Iterator(loop: makeLoop()) }

        /// An iterator over the frames. Use it from one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            let loop: ReaderLoop<FrameReader>

            /// Returns the next frame, and counts the previous frame as delivered in the statistics. With the policy
            /// ``LateFramePolicy/latest``, the next frame is the newest frame.
            ///
            /// - Returns: The next frame; nil if the session has stopped, the source has ended, or the task was
            ///   cancelled.
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
