// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A sequence of the first page of a query: the current page, then the new page each time the page changes.
///
/// Several changes in quick succession can give a single new page. The sequence ends when the task is cancelled, or
/// with an error.
public struct LibraryUpdates: AsyncSequence, Sendable {
    /// A page of items.
    public typealias Element = LibraryPage
    /// The error that ends the sequence.
    public typealias Failure = ObscuraError

    let library: MediaLibrary
    let query: LibraryQuery
    let limit: Int

    /// Returns an iterator.
    public func makeAsyncIterator() -> Iterator {
        Iterator(library: library, query: query, limit: limit)
    }

    /// An iterator that waits for changes of the page. Use it in one task only.
    public struct Iterator: AsyncIteratorProtocol {
        let library: MediaLibrary
        let query: LibraryQuery
        let limit: Int
        private var last: LibraryPage?
        private var seen: UInt64 = 0

        init(library: MediaLibrary, query: LibraryQuery, limit: Int) {
            (self.library, self.query, self.limit) = (library, query, limit)
        }

        /// Returns the current page at the first call; at later calls, waits until the page changes and returns the new
        /// page. Returns nil if the task is cancelled.
        nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> LibraryPage? {
            try await next(isolation: #isolation)
        }

        /// Returns the current page at the first call; at later calls, waits until the page changes and returns the new
        /// page. Returns nil if the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ObscuraError) -> LibraryPage? {
            while !Task.isCancelled {
                if last != nil { await library.signal.wait(after: seen) }
                guard !Task.isCancelled else { return nil }
                seen = library.signal.count
                let page = try await library.items(matching: query, limit: limit)
                guard page != last else { continue }
                last = page
                return page
            }
            return nil
        }
    }
}

extension MediaLibrary {
    /// Returns a sequence of the first page of a query, which gives a new page each time the page changes.
    ///
    /// The sequence reports changes made through this object, including those that ``refresh(progress:)`` finds.
    /// Changes by other processes are reported while ``watch(onRefresh:)`` runs.
    ///
    /// - Parameters:
    ///   - query: the conditions and the order.
    ///   - limit: the maximum number of items, 1 to ``longestPage``.
    public func updates(
        matching query: LibraryQuery = LibraryQuery(), limit: Int = 100
    ) -> LibraryUpdates {
        LibraryUpdates(library: self, query: query, limit: limit)
    }
}
