// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension MediaLibrary {
    /// Copies photos and movies into the library.
    ///
    /// Each file appears in the library when it is complete and on the disk. A file that cannot be imported does not
    /// end the import: see ``ImportReport/failures``. Files that are neither photos nor movies are skipped if they are
    /// in a folder of `paths`. If `paths` names such a file, it is reported as a failure.
    ///
    /// - Parameters:
    ///   - paths: files and folders outside of the library; folders with all of their subfolders. Links in folders are
    ///     not followed.
    ///   - options: the settings.
    ///   - progress: called about twenty times a second, on a thread of the library.
    /// - Throws: ``ObscuraError/Code/diskFull`` and other errors that concern all files;
    ///   ``ObscuraError/Code/cancelled`` if the task was cancelled. The files imported until then are complete and
    ///   remain in the library.
    @discardableResult
    nonisolated(nonsending) public func importFiles(
        _ paths: [String], options: ImportOptions = ImportOptions(),
        progress: (@Sendable (LibraryProgress) -> Void)? = nil
    ) async throws(ObscuraError) -> ImportReport {
        try await cancellable { [self] isCancelled throws(ObscuraError) in
            var work = ImportWork(self, options, isCancelled: isCancelled, progress: progress)
            return try work.run(paths)
        }
    }
}
