// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
public import ObscuraMedia

extension FrameExtractor {
    /// A frame of the camera, with its image.
    public struct Frame: Sendable {
        /// The frame of the camera before the conversion, with its timestamps and its frame number.
        public let video: VideoFrame

        init(_ video: VideoFrame) {
            self.video = video
        }

        /// The presentation time, on the timeline of the source.
        public var presentationTime: MediaTime { video.presentationTime }

        /// The upright image of the frame, converted as specified by the extractor (default: BGRA). A frame that cannot
        /// be converted is dropped with the reason ``DropReason/transformFailed``.
        ///
        /// If ``FrameExtractor/makesImages`` is false, the image is the unchanged buffer of the camera.
        public var image: PixelBuffer { video.readyImage ?? video.buffer }
    }

    /// An asynchronous sequence of the frames of an extractor. Several loops can run at the same time, independently.
    public struct Frames: AsyncSequence, Sendable {
        /// A frame with its image.
        public typealias Element = Frame
        /// The error thrown when the camera fails.
        public typealias Failure = ObscuraError

        let extractor: FrameExtractor

        /// Returns an iterator that reads the frames of the camera.
        public func makeAsyncIterator() -> Iterator {
            Iterator(loop: Loop(extractor: extractor))
        }

        /// An iterator over the frames. Must be used by one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            let loop: Loop
            private var frames: VideoDataOutput.Frames.Iterator?

            init(loop: Loop) {
                self.loop = loop
            }

            /// Returns the next frame; the first call starts the camera.
            ///
            /// - Returns: Nil when the camera was stopped, the movie has ended, or the task was cancelled.
            /// - Throws: ``ObscuraError``.
            public mutating func next() async throws(ObscuraError) -> Frame? {
                try await next(isolation: nil)
            }

            /// Like ``next()``, for callers on an actor.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(ObscuraError) -> Frame? {
                if frames == nil { frames = try await loop.open() }
                guard let video = try await frames?.next() else { return nil }
                return Frame(video)
            }
        }
    }

    /// One loop over the frames; releasing it notifies the extractor.
    final class Loop: Sendable {
        let extractor: FrameExtractor
        private let hasJoined = Lock(false)

        init(extractor: FrameExtractor) {
            self.extractor = extractor
        }

        deinit {
            if hasJoined.withLock({ $0 }) { extractor.leaveLoop() }
        }

        /// Joins the extractor, and starts the camera. Cancelling the task ends the wait at once.
        ///
        /// - Returns: Nil when the camera was stopped, or the task cancelled, before the camera ran.
        nonisolated(nonsending) func open() async throws(ObscuraError) -> VideoDataOutput.Frames.Iterator? {
            hasJoined.withLock { $0 = true }
            let (frames, stops) = await extractor.joinLoop()
            let result = await withTaskCancellationHandler {
                await opened(unlessStoppedSince: stops)
            } onCancel: {
                extractor.cancelOpening()
            }
            guard case .failure(let error) = result else { return frames }
            // A stopped loop ends without an error.
            guard error.code == .cancelled || Task.isCancelled else { throw error }
            return nil
        }

        nonisolated(nonsending) private func opened(unlessStoppedSince stops: Int) async -> Result<Void, ObscuraError> {
            do throws(ObscuraError) {
                return .success(try await extractor.open(unlessStoppedSince: stops))
            } catch {
                return .failure(error)
            }
        }
    }
}
