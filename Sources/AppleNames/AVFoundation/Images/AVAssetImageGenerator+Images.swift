// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension AVAssetImageGenerator {
    /// Returns the images at several times, one after the other.
    public func images(for times: [CMTime]) -> Images { Images(generator: self, times: times) }

    /// An asynchronous sequence of images. It ends early if the task is cancelled.
    public struct Images: AsyncSequence, Sendable {
        /// The sequence never throws. If an image cannot be made, its element is a failure.
        public typealias Failure = Never

        /// An image, or the reason why it could not be made.
        public enum Element: Sendable {
            /// The image, and the time of the frame.
            case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
            /// An `ObscuraError`.
            case failure(requestedTime: CMTime, error: any Error)

            /// The requested time.
            public var requestedTime: CMTime {
                switch self {
                case .success(let time, _, _): time
                case .failure(let time, _): time
                }
            }

            /// The image.
            ///
            /// - Throws: the error of a failure.
            public var image: CGImage {
                get throws {
                    switch self {
                    case .success(_, let image, _): image
                    case .failure(_, let error): throw error
                    }
                }
            }

            /// The time of the frame.
            ///
            /// - Throws: the error of a failure.
            public var actualTime: CMTime {
                get throws {
                    switch self {
                    case .success(_, _, let time): time
                    case .failure(_, let error): throw error
                    }
                }
            }
        }

        let generator: AVAssetImageGenerator
        let times: [CMTime]

        /// Returns an iterator, which makes each image when the element is requested.
        public func makeAsyncIterator() -> Iterator { Iterator(generator: generator, times: times[...]) }

        /// An iterator over the images.
        public struct Iterator: AsyncIteratorProtocol {
            let generator: AVAssetImageGenerator
            var times: ArraySlice<CMTime>

            /// Returns the next image; nil after the last one, and after the task was cancelled.
            public mutating func next() async -> Element? {
                guard !Task.isCancelled, let time = times.popFirst() else { return nil }
                do {
                    let (image, actualTime) = try await generator.image(at: time)
                    return .success(requestedTime: time, image: image, actualTime: actualTime)
                } catch {
                    return .failure(requestedTime: time, error: error)
                }
            }
        }
    }
}
