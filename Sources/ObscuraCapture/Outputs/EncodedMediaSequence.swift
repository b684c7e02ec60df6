// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The compressed frames or packets of an output as an asynchronous sequence. Each iteration is a separate reader. See
/// ``VideoDataOutput/encodedFrames(latePolicy:)`` and ``AudioDataOutput/encodedPackets(latePolicy:)``.
public struct EncodedMediaSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// The error thrown when the source fails.
    public typealias Failure = ObscuraError

    let makeLoop: @Sendable () -> any ElementLoop<Element>

    /// Returns an iterator that reads independently of other iterators.
    public func makeAsyncIterator() -> Iterator { Iterator(loop: makeLoop()) }

    /// An iterator over the elements. Use it from one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
        let loop: any ElementLoop<Element>

        /// Returns the next element, and counts the previous element as delivered in the statistics.
        ///
        /// - Returns: The next element; nil if the session has stopped, the source has ended, or the task was cancelled.
        /// - Throws: ``ObscuraError`` when the source has failed.
        nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> Element? {
            try await loop.next()
        }

        /// Does the same as `next()`, for callers on an actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ObscuraError) -> Element? {
            try await loop.next()
        }
    }
}
