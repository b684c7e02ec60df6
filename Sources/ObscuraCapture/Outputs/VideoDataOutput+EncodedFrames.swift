// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoDataOutput {
    /// The compressed frames of the camera, unchanged, for a `for try await` loop: of a camera that delivers JPEG or
    /// H.264. Each loop is a separate reader.
    ///
    /// Nothing is decoded for it: while nobody else reads the camera, no decoder runs. The settings of the output and the
    /// orientation, the mirroring and the effects of the connection do not apply; ``CaptureConnection/minFrameDuration``
    /// and ``CaptureConnection/frameStride`` apply to JPEG only, since each frame of H.264 needs those before it. An H.264
    /// stream begins with a key frame; frames before it are counted as skipped. After a lost or dropped frame it continues
    /// with the next key frame, and those between are counted as dropped.
    ///
    /// The loop waits for the session to start, ends when the session stops or the source ends, and throws
    /// ``ObscuraError``: `unsupportedFormat` if the source delivers uncompressed frames, otherwise the error with which the
    /// source failed.
    ///
    /// - Parameter latePolicy: The handling of frames that arrive while the loop is busy. With
    ///   ``LateFramePolicy/latest``, an H.264 stream loses frames at each delay.
    public func encodedFrames(latePolicy: LateFramePolicy = .bounded(60)) -> EncodedFrames {
        EncodedFrames { [self] in
            ReaderLoop(
                owner: self, connection: connection,
                reader: EncodedReader(name: nextReader("compressed loop").name, policy: latePolicy))
        }
    }

    /// The compressed frames of an output as an asynchronous sequence. Each iteration is a separate reader.
    public struct EncodedFrames: AsyncSequence, Sendable {
        /// A compressed frame.
        public typealias Element = EncodedFrame
        /// The error thrown when the source fails.
        public typealias Failure = ObscuraError

        let makeLoop: @Sendable () -> ReaderLoop<EncodedReader>

        /// Returns an iterator that reads the frames independently of other iterators.
        public func makeAsyncIterator() -> Iterator { Iterator(loop: makeLoop()) }

        /// An iterator over the compressed frames. Use it from one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            let loop: ReaderLoop<EncodedReader>

            /// Returns the next frame, and counts the previous frame as delivered in the statistics.
            ///
            /// - Returns: The next frame; nil if the session has stopped, the source has ended, or the task was
            ///   cancelled.
            /// - Throws: ``ObscuraError`` when the source has failed.
            nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> EncodedFrame? {
                try await loop.next()
            }

            /// Does the same as `next()`, for callers on an actor.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(ObscuraError) -> EncodedFrame? {
                try await loop.next()
            }
        }
    }
}
