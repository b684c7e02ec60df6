// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraImaging
public import ObscuraMedia

extension MediaLibrary {
    /// Writes items to a folder outside of the library: photos with their edits, other files as copies.
    ///
    /// An edited photo keeps the metadata of the original. If two items have the same name, the second gets a number.
    ///
    /// - Parameters:
    ///   - paths: the items.
    ///   - folder: the folder, which is created if missing.
    ///   - options: the settings.
    ///   - progress: called after each item, on the task of the caller.
    /// - Returns: the paths of the files, in the order of the items.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` if the folder is in the library. The export stops at the first
    ///   item that cannot be written, with its error: ``ObscuraError/Code/fileExists``, ``ObscuraError/Code/diskFull``,
    ///   ``ObscuraError/Code/unreadable`` and others. The files written before are complete and remain.
    @discardableResult
    nonisolated(nonsending) public func export(
        _ paths: [String], to folder: String, options: ExportOptions = ExportOptions(),
        progress: ((LibraryProgress) -> Void)? = nil
    ) async throws(ObscuraError) -> [String] {
        try OutputFile.makeFolder(folder)
        if let target = try? OpenFolder(path: folder), target.isInside(self.folder.root) {
            throw ObscuraError(
                .library, .invalidRequest, subject: folder, reason: "it is in the folder of the library",
                advice: "Choose a folder outside of the library.")
        }
        var names: Set<String> = []
        var written: [String] = []
        var byteCount: Int64 = 0
        for path in paths {
            guard !Task.isCancelled else { throw .cancelled(.library, "export to \(folder)") }
            let (source, keywords) = try await run { [self] () throws(ObscuraError) in
                try exportSource(of: path, options)
            }
            let ending = source.map { _ in options.format.map { $0 == .png ? "png" : "jpg" } } ?? nil
            let name = Self.unusedName(path, ending: ending, &names)
            let target = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            if let source {
                let quality = min(max(1, options.quality), 100)
                let isPNG = target.lowercased().hasSuffix(".png")
                let bytes = try await withMemory(of: source) {
                    var still = try source.editedStill()
                    still.metadata.keywords = keywords ?? still.metadata.keywords
                    return try still.encoded(as: isPNG ? .png() : .jpeg(quality: quality))
                }
                try await run { () throws(ObscuraError) in
                    try OutputFile.writeWhole(bytes, to: target, overwrites: options.overwrites)
                }
                byteCount += Int64(bytes.count)
            } else {
                byteCount += try await run { [self] () throws(ObscuraError) in
                    try FileCopy(of: self.folder.open(try existing(path)).file).write(
                        to: target, overwrites: options.overwrites)
                }
            }
            written.append(target)
            progress?(LibraryProgress(completed: written.count, total: paths.count, byteCount: byteCount))
        }
        return written
    }

    /// Writes a copy of the file of an item, without its edits, to a file that does not exist yet.
    nonisolated(nonsending) package func copy(_ path: String, to target: String) async throws(ObscuraError) {
        try await cancellable { [self] _ throws(ObscuraError) in
            _ = try FileCopy(of: folder.open(try existing(path)).file).write(to: target, overwrites: false)
        }
    }

    /// Opens a photo that must be encoded again, and returns the keywords to write; nil for an item to copy. Blocks.
    private func exportSource(
        of text: String, _ options: ExportOptions
    ) throws(ObscuraError) -> (PictureSource?, keywords: [String]?) {
        let path = try existing(text)
        guard path.type?.kind == .photo else { return (nil, nil) }
        let place = try? folder.folder(path.folder)
        let added = place.flatMap { reader.notes(of: path.name, in: $0) }?.keywords ?? []
        let keywords = options.writesKeywords && !added.isEmpty ? reader.record(at: path)?.item.keywords : nil
        let isEdited = place.flatMap { reader.recipe(of: path, in: $0) } != nil
        let isOtherFormat = options.format.map { ($0 == .png) != (path.type == .png) } ?? false
        guard keywords != nil || isEdited || isOtherFormat else { return (nil, nil) }
        return (try source(of: path), keywords)
    }

    private static func unusedName(_ path: String, ending: String?, _ names: inout Set<String>) -> String {
        let name = PathParts(path).name
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let (stem, own) = (String(name[..<dot]), String(name[dot...].dropFirst()))
        var number = 1
        while true {
            let candidate = "\(stem)\(number == 1 ? "" : "-\(number)").\(ending ?? own)"
            if names.insert(candidate.lowercased()).inserted { return candidate }
            number += 1
        }
    }
}
