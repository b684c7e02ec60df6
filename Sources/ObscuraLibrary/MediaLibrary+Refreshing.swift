// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

extension MediaLibrary {
    /// Updates the index from the folder: new, changed, moved and deleted files.
    ///
    /// Reads only files whose size, date or number (inode) differs from the index. If another program moved a file, its
    /// edits, favorites and keywords are moved with it.
    ///
    /// - Parameter progress: called with the number of files read so far, on a thread of the library.
    /// - Throws: ``ObscuraError/Code/notFound`` if the folder disappeared; the index is then unchanged.
    ///   ``ObscuraError/Code/cancelled`` if the task was cancelled; the changes found until then are kept.
    @discardableResult
    nonisolated(nonsending) public func refresh(
        progress: (@Sendable (LibraryProgress) -> Void)? = nil
    ) async throws(ObscuraError) -> RefreshReport {
        try await cancellable { [self] isCancelled throws(ObscuraError) in
            var refresh = Refresh(self, isCancelled: isCancelled, progress: progress)
            return try refresh.run()
        }
    }

    /// Deletes the index, and builds it from the files.
    ///
    /// - Parameter progress: called with the number of files read so far, on a thread of the library.
    @discardableResult
    nonisolated(nonsending) public func rebuildIndex(
        progress: (@Sendable (LibraryProgress) -> Void)? = nil
    ) async throws(ObscuraError) -> RefreshReport {
        try await run { [self] () throws(ObscuraError) in
            try folder.requirePresence()
            try index.removeAll()
        }
        return try await refresh(progress: progress)
    }

    /// Runs `body` on a thread of the library, with a function that returns whether the task was cancelled.
    nonisolated(nonsending) func cancellable<R: Sendable>(
        _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(ObscuraError) -> R
    ) async throws(ObscuraError) -> R {
        try await longRunning.runCancellable(body)
    }
}
