// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraMedia

extension MediaLibrary {
    /// Returns an unused path for a photo or a movie outside of the library, in the folder of its month. Another file can
    /// get the path until the file is added.
    ///
    /// - Parameters:
    ///   - file: the path of the file.
    ///   - name: the name in the library, with a file extension.
    /// - Throws: ``ObscuraError/Code/notFound``, ``ObscuraError/Code/unreadable``,
    ///   ``ObscuraError/Code/unsupportedFormat`` for a name that no photo or movie has.
    nonisolated(nonsending) package func unusedPath(
        for file: String, named name: String
    ) async throws(ObscuraError) -> String {
        try await run { [self] () throws(ObscuraError) in
            let source = try MediaFile(opening: file)
            guard let kind = LibraryPath(name: name, in: "")?.type?.kind else {
                throw ObscuraError(
                    .library, .unsupportedFormat, subject: name, reason: "it is not the name of a photo or movie",
                    advice: "Use a name with the extension jpg, jpeg, png, mp4, m4v, mov, mkv or webm.")
            }
            let date = ItemContents(try MediaReading(source, as: kind)).date ?? source.modified
            guard let path = LibraryPath(name: name, in: ImportOptions().folder(for: date)) else {
                throw ObscuraError(
                    .library, .invalidPath, subject: "path \"\(name)\"", reason: "the name is too long",
                    advice: "Use a shorter name.")
            }
            return try UnusedPath(folder).path(like: path).text
        }
    }

    /// Copies a photo or a movie into the library. It appears in the library when it is complete and on the disk.
    ///
    /// - Parameters:
    ///   - file: the path of a file outside of the library.
    ///   - path: the path in the library. Missing folders are created.
    /// - Throws: ``ObscuraError/Code/fileExists``, ``ObscuraError/Code/unreadable``, ``ObscuraError/Code/diskFull``
    ///   and others.
    nonisolated(nonsending) package func add(_ file: String, at path: String) async throws(ObscuraError) {
        // A movie may take minutes.
        try await cancellable { [self] isCancelled throws(ObscuraError) in
            let path = try LibraryPath(path)
            let source = try MediaFile(opening: file)
            _ = try MediaReading(source, as: path.type?.kind)
            try change { _ throws(ObscuraError) in }
            let draft = try ObscuraError.writing(self.path, domain: .library) { () throws(SystemError) in
                try DraftFile(in: folder.makeFolder(path.folder), isNameless: false)
            }
            try FileCopy(of: source.file).append(to: draft.file, named: self.path) { count throws(ObscuraError) in
                if isCancelled() { throw .cancelled(.library, "import into \(self.path)") }
                try folder.requireSpace(for: count, self.path)
            }
            do throws(SystemError) {
                try draft.file.synchronize()
                try draft.take(path.name, overwrites: false, isSynced: true)
            } catch {
                throw folder.hasFile(path.text)
                    ? .taken(path.text)
                    : ObscuraError(error, writing: self.path, domain: .library)
            }
            try reindex([path])
        }
    }
}
