// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The first page of a query: as it is now, and again after each change of the library that alters it.
///
/// Changes that come in quick succession are combined: each element is the page at the time of the request. The
/// sequence ends with the task, or with an error.
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

    /// Waits for changes. Use an iterator in one task only.
    public struct Iterator: AsyncIteratorProtocol {
        let library: MediaLibrary
        let query: LibraryQuery
        let limit: Int
        private var last: LibraryPage?
        private var seen: UInt64 = 0

        init(library: MediaLibrary, query: LibraryQuery, limit: Int) {
            (self.library, self.query, self.limit) = (library, query, limit)
        }

        /// Returns the page when it differs from the one before; nil if the task was cancelled.
        nonisolated(nonsending) public mutating func next() async throws(ObscuraError) -> LibraryPage? {
            try await next(isolation: #isolation)
        }

        /// Returns the page when it differs from the one before; nil if the task was cancelled.
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
    /// Observes the items that match a query: changes by this process and by others.
    ///
    /// Changes of files by other programs appear after a ``refresh(progress:)``, or while the folder is watched; see
    /// ``watch(onRefresh:)``.
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
