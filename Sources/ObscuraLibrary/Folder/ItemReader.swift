// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
package import ObscuraBase
internal import ObscuraImaging
internal import ObscuraMedia

/// Reads items from the files of a library. Thread-safe; blocks on the disk.
package struct ItemReader: Sendable {
    let folder: LibraryFolder

    /// Reads an item; nil if there is no such file.
    func record(at path: LibraryPath) -> ItemRecord? {
        (try? folder.folder(path.folder)).flatMap { record(at: path, in: $0) }
    }

    /// Reads an item in its folder.
    func record(at path: LibraryPath, in place: OpenFolder) -> ItemRecord? {
        // The states are read before the contents, so that a later change is noticed.
        let sidecars = Self.sidecars(of: path.name, in: place)
        guard let type = path.type else { return nil }
        guard let file = (try? place.open(path.name)).map(MediaFile.init) else {
            // A file that may not be read is an item as well, so that it is found.
            guard let status = place.status(of: path.name) else { return nil }
            return ItemRecord(
                item: LibraryItem(
                    path: path.text, kind: type.kind, fileSize: status.size, date: status.wallTime, keywords: [],
                    isFavorite: false, isEdited: false, isReadable: false),
                stamp: status.stamp, sidecars: sidecars, print: ItemRecord.noPrint, albums: [:])
        }
        var contents: ItemContents?
        var stamp = file.status.stamp
        do throws(ObscuraError) {
            contents = ItemContents(try MediaReading(file, as: type.kind))
        } catch {
            // The disk or the system failed, and not the file: the next refresh reads it again.
            if error.isPassing { stamp = "" }
        }
        let notes = sidecars.isEmpty ? nil : notes(of: path.name, in: place)
        let recipe = sidecars.isEmpty ? nil : recipe(of: path, in: place)
        let size = contents?.size.map { recipe?.size(of: $0) ?? $0 }
        let item = LibraryItem(
            path: path.text, kind: type.kind, fileSize: file.size, date: contents?.date ?? file.modified, size: size,
            duration: contents?.duration, location: contents?.location, camera: contents?.camera,
            title: contents?.title, description: contents?.description,
            keywords: KeywordList((contents?.keywords ?? []) + (notes?.keywords ?? [])).keywords,
            isFavorite: notes?.isFavorite ?? false, isEdited: recipe != nil, isReadable: contents != nil)
        return ItemRecord(
            item: item, stamp: stamp, sidecars: sidecars, print: ContentPrint(of: file).value,
            albums: notes?.albums ?? [:])
    }

    /// Returns the states of an item's sidecars; empty without any.
    package static func sidecars(of name: String, in place: OpenFolder) -> String {
        Sidecar.allCases.compactMap { place.status(of: $0.name(for: name))?.stamp }.joined(separator: " ")
    }

    /// Reads the edits of a photo. Edits that are damaged or too long count as none.
    func recipe(of path: LibraryPath, in place: OpenFolder) -> StillRecipe? {
        guard path.type?.kind == .photo else { return nil }
        return Sidecar.recipe.contents(of: path.name, in: place).flatMap(StillRecipe.init(json:))
    }

    func notes(of name: String, in place: OpenFolder) -> ItemNotes? {
        Sidecar.notes.contents(of: name, in: place).flatMap(ItemNotes.init(json:))
    }
}

extension ObscuraError {
    /// Whether the cause is the state of the system, and not the contents of a file.
    fileprivate var isPassing: Bool {
        if let errno { return [EIO, ENOMEM, EMFILE, ENFILE, ETIMEDOUT, ESTALE].contains(errno) }
        return [.outOfMemory, .timedOut].contains(code)
    }
}
