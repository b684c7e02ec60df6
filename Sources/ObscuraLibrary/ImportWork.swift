// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraMedia

/// One import: batches of files that are read and copied on several threads, flushed to the disk together, and then
/// named.
struct ImportWork {
    /// A file to import.
    private struct Source: Sendable {
        let path: String
        let file: MediaFile
        let place: OpenFolder
        let print: ContentPrint
        /// The folder of the library for the file.
        let folder: String
        /// The edits and notes beside the file, if it comes from another library.
        let sidecars: [Sidecar: [UInt8]]
    }

    /// The complete copy of a file, without a name.
    private struct Copy: Sendable {
        let source: Source
        let wanted: LibraryPath
        let place: OpenFolder
        let draft: DraftFile
    }

    /// Files that are open at the same time, with their copies.
    private static let batch = 32
    private static let reportInterval = Duration.milliseconds(50)

    private let library: MediaLibrary
    private let options: ImportOptions
    private let isCancelled: @Sendable () -> Bool
    private let progress: (@Sendable (LibraryProgress) -> Void)?
    private var report = ImportReport()
    private var completed = 0
    private var total = 0
    private var byteCount: Int64 = 0
    private var lastReport = HostTime.now
    /// The next number to try for a name, so that a thousand files of one name need not try all numbers.
    private var numbers: [String: Int] = [:]

    init(
        _ library: MediaLibrary, _ options: ImportOptions, isCancelled: @escaping @Sendable () -> Bool,
        progress: (@Sendable (LibraryProgress) -> Void)?
    ) {
        self.library = library
        self.options = options
        self.isCancelled = isCancelled
        self.progress = progress
    }

    mutating func run(_ paths: [String]) throws(ObscuraError) -> ImportReport {
        if case .folder(let folder) = options.layout, !folder.isEmpty { _ = try LibraryPath(folder) }
        try library.folder.requirePresence()
        // Fails at once if this process may not change the library.
        try library.change { _ throws(ObscuraError) in }
        var sources = ImportSources(except: library.folder)
        sources.add(paths)
        (report.failures, report.skipped) = (sources.failures, sources.skipped)
        total = sources.files.count
        var rest = sources.files[...]
        while !rest.isEmpty {
            try checkCancellation()
            try importBatch(Array(rest.prefix(Self.batch)))
            rest = rest.dropFirst(Self.batch)
        }
        showProgress(always: true)
        return report
    }

    private mutating func importBatch(_ paths: [String]) throws(ObscuraError) {
        let found = concurrently(paths) { [library, options] path throws(ObscuraError) in
            try Self.open(path, library, options)
        }
        var wanted: [Source] = []
        for (path, result) in zip(paths, found) {
            do throws(ObscuraError) {
                let source = try result.get()
                if options.skipsDuplicates, wanted.contains(where: { isEqual($0, source) }) {
                    // The other one gets its name first.
                    let others = wanted
                    wanted = []
                    try importSources(others)
                }
                if options.skipsDuplicates, let item = try duplicate(of: source) {
                    try finish(source, as: item, isDuplicate: true)
                } else {
                    wanted.append(source)
                }
            } catch {
                try note(error, of: path)
            }
        }
        try importSources(wanted)
    }

    /// Copies files, and names the copies when they are on the disk.
    private mutating func importSources(_ sources: [Source]) throws(ObscuraError) {
        let copies = concurrently(sources) { [library, isCancelled] source throws(ObscuraError) in
            try Self.copy(source, library, isCancelled)
        }
        var named: [(source: Source, path: LibraryPath, hasSidecars: Bool)] = []
        var places: [String: OpenFolder] = [:]
        var failure: ObscuraError?
        for (source, result) in zip(sources, copies) {
            do throws(ObscuraError) {
                let copy = try result.get()
                try ObscuraError.writing(library.path, domain: .library) { () throws(SystemError) in
                    try copy.draft.file.synchronize()
                }
                let path = try name(copy)
                named.append((source, path, false))
                places[copy.wanted.folder] = copy.place
                for (kind, bytes) in source.sidecars {
                    try library.writeSidecar(kind, of: path, in: copy.place) { bytes }
                }
                named[named.count - 1].hasSidecars = true
            } catch {
                do throws(ObscuraError) {
                    try note(error, of: source.path)
                } catch {
                    // The complete copies are in the library all the same.
                    failure = error
                }
            }
        }
        for place in places.values { place.synchronize() }
        if !named.isEmpty { try library.reindex(named.map(\.path)) }
        for (source, path, hasSidecars) in named {
            try finish(source, as: path.text, isDuplicate: false, hasSidecars: hasSidecars)
        }
        if let failure { throw failure }
    }

    /// Reports a file, and deletes it if requested: its content is in the library, and on the disk.
    ///
    /// - Parameter hasSidecars: whether its edits and notes are there too. Otherwise it is not deleted.
    private mutating func finish(
        _ source: Source, as item: String, isDuplicate: Bool, hasSidecars: Bool = true
    ) throws(ObscuraError) {
        let imported = ImportReport.Imported(source: source.path, path: item)
        if isDuplicate { report.duplicates.append(imported) } else { report.imported.append(imported) }
        // Else it was counted with its failure.
        if hasSidecars { completed += 1 }
        byteCount += source.file.size
        showProgress()
        guard options.movesFiles, hasSidecars else { return }
        do {
            let parts = PathParts(item)
            let place = try library.folder.folder(parts.folder)
            let copy = try place.open(parts.name)
            // A file that other programs have changed is kept, and so is one that is the item itself by another path.
            guard source.place.status(of: source.file.name)?.stamp == source.file.status.stamp,
                !copy.status.isOfSameFile(as: source.file.status), EqualFiles.areEqual(copy, source.file.file)
            else { return }
            if isDuplicate {
                try copy.synchronize()
                place.synchronize()
                // Marks and edits that the item does not have would be lost.
                guard try addSidecars(of: source, to: item, in: place) else {
                    report.failures.append(
                        ImportReport.Failure(source: source.path, error: Self.otherEdits(source.path)))
                    return
                }
            }
            try source.place.remove(source.file.name)
            for sidecar in source.sidecars.keys { try source.place.remove(sidecar.name(for: source.file.name)) }
        } catch {
            let failure =
                (error as? SystemError).map { ObscuraError($0, writing: source.path, domain: .library) }
                ?? ObscuraError(wrapping: error, as: .library, .writingFailed, subject: source.path)
            report.failures.append(ImportReport.Failure(source: source.path, error: failure))
        }
    }

    /// Adds the marks of a duplicate to the item, and its edits if the item has none. Returns whether the item then has
    /// everything.
    private func addSidecars(
        of source: Source, to item: String, in place: OpenFolder
    ) throws(ObscuraError) -> Bool {
        guard !source.sidecars.isEmpty else { return true }
        let path = try LibraryPath(item)
        return try library.change { _ throws(ObscuraError) in
            if let notes = source.sidecars[.notes].flatMap(ItemNotes.init(json:)) {
                try library.changeNotes(of: [(item, 0)]) { own, _ in
                    own.isFavorite = own.isFavorite || notes.isFavorite
                    own.keywords = KeywordList(own.keywords + notes.keywords).keywords
                }
            }
            guard let recipe = source.sidecars[.recipe] else { return true }
            if !place.isTaken(Sidecar.recipe.name(for: path.name)) {
                try library.writeSidecar(.recipe, of: path, in: place) { recipe }
                try library.reindex([path])
            }
            return library.reader.recipe(of: path, in: place) == StillRecipe(json: recipe)
        }
    }

    private static func otherEdits(_ path: String) -> ObscuraError {
        ObscuraError(
            .library, .invalidRequest, subject: path,
            reason: "the library has the same photo with other edits, so this file was not deleted",
            advice: "Delete this file if you do not need its edits.")
    }

    /// Reports a file that cannot be imported.
    ///
    /// - Throws: an error that concerns all other files as well.
    private mutating func note(_ error: ObscuraError, of path: String) throws(ObscuraError) {
        let isOfFile = ![.diskFull, .notWritable, .cancelled].contains(error.code) || error.subject == path
        guard isOfFile else { throw error }
        report.failures.append(ImportReport.Failure(source: path, error: error))
        completed += 1
        showProgress()
    }

    private static func open(
        _ path: String, _ library: MediaLibrary, _ options: ImportOptions
    ) throws(ObscuraError) -> Source {
        let file: MediaFile
        let place: OpenFolder
        do throws(SystemError) {
            let parts = PathParts(path)
            place = try OpenFolder(path: parts.folder)
            file = MediaFile(try place.open(parts.name))
        } catch {
            throw ObscuraError(error, reading: path, domain: .library)
        }
        guard !place.isInside(library.folder.root) else {
            // Its copy would be itself, and moving it would delete it.
            throw ObscuraError(
                .library, .invalidRequest, subject: path, reason: "it is in the folder of the library already",
                advice: "Refresh the library.")
        }
        guard let type = file.type else {
            throw ObscuraError(
                .library, .unsupportedFormat, subject: path, reason: "it is not a photo or movie",
                advice: "Use files with the extension jpg, jpeg, png, mp4, m4v, mov, mkv or webm.")
        }
        let contents: ItemContents
        do {
            contents = ItemContents(try MediaReading(file, as: type.kind))
        } catch {
            throw ObscuraError(
                .library, error.code, subject: path, reason: error.reason,
                advice: "The file was not imported. It may be damaged, or have a wrong extension.", errno: error.errno)
        }
        return Source(
            path: path, file: file, place: place, print: ContentPrint(of: file),
            folder: options.folder(for: contents.date ?? file.modified), sidecars: sidecars(of: file.name, in: place))
    }

    /// Reads the edits and notes beside a file. Albums are those of the other library.
    private static func sidecars(of name: String, in place: OpenFolder) -> [Sidecar: [UInt8]] {
        var found: [Sidecar: [UInt8]] = [:]
        for kind in Sidecar.allCases {
            guard let bytes = kind.contents(of: name, in: place) else { continue }
            switch kind {
            case .recipe: if StillRecipe(json: bytes) != nil { found[kind] = bytes }
            case .notes:
                guard var notes = ItemNotes(json: bytes) else { continue }
                notes.albums = [:]
                if let json = try? notes.json() { found[kind] = json }
            }
        }
        return found
    }

    /// Returns the path of an item with the same content; nil if there is none.
    private func duplicate(of source: Source) throws(ObscuraError) -> String? {
        try library.index.paths(ofSize: source.file.size, source.print)
            .first { EqualFiles(library.folder).isEqual($0, to: source.file.file) }
    }

    private func isEqual(_ source: Source, _ other: Source) -> Bool {
        source.print == other.print && EqualFiles.areEqual(source.file.file, other.file.file)
    }

    private static func copy(
        _ source: Source, _ library: MediaLibrary, _ isCancelled: () -> Bool
    ) throws(ObscuraError) -> Copy {
        guard let wanted = LibraryPath(name: visible(source.file.name), in: source.folder), wanted.type != nil else {
            throw ObscuraError(
                .library, .invalidPath, subject: source.path, reason: "a file in the library cannot have this name",
                advice: "Rename the file.")
        }
        let (place, draft) = try ObscuraError.writing(library.path, domain: .library) { () throws(SystemError) in
            let place = try library.folder.makeFolder(source.folder)
            return (place, try DraftFile(in: place, isNameless: false))
        }
        try FileCopy(of: source.file.file).append(to: draft.file, named: library.path) { count throws(ObscuraError) in
            if isCancelled() { throw .cancelled(.library, "import into \(library.path)") }
            try library.folder.requireSpace(for: count, library.path)
        }
        return Copy(source: source, wanted: wanted, place: place, draft: draft)
    }

    /// Gives a copy a name that no other file has.
    private mutating func name(_ copy: Copy) throws(ObscuraError) -> LibraryPath {
        while true {
            let number = numbers[copy.wanted.text] ?? 1
            let path = try UnusedPath(library.folder).path(like: copy.wanted, from: number)
            numbers[copy.wanted.text] = number + 1
            do {
                try copy.draft.take(path.name, overwrites: false)
                return path
            } catch {
                // Another process has created a file of this name.
                guard error.number == EEXIST else {
                    throw ObscuraError(error, writing: library.path, domain: .library)
                }
            }
        }
    }

    /// Returns the name without dots at its beginning, which would hide the item.
    private static func visible(_ name: String) -> String {
        let rest = name.drop { $0 == "." }
        return rest.contains(".") ? String(rest) : "file.\(rest)"
    }

    /// Calls `body` for each value on several threads, and returns the results in the order of the values.
    private func concurrently<Value: Sendable, R: Sendable>(
        _ values: [Value], _ body: @escaping @Sendable (Value) throws(ObscuraError) -> R
    ) -> [Result<R, ObscuraError>] {
        let results = Lock([Result<R, ObscuraError>?](repeating: nil, count: values.count))
        library.readers.forEachBand(of: values.count) { band in
            for index in band {
                let result = Result { () throws(ObscuraError) in try body(values[index]) }
                results.withLock { $0[index] = result }
            }
        }
        return results.withLock { $0.compactMap(\.self) }
    }

    private func checkCancellation() throws(ObscuraError) {
        if isCancelled() { throw .cancelled(.library, "import into \(library.path)") }
    }

    private mutating func showProgress(always: Bool = false) {
        guard let progress, always || HostTime.now - lastReport >= Self.reportInterval else { return }
        lastReport = .now
        progress(LibraryProgress(completed: completed, total: total, byteCount: byteCount))
    }
}

extension ImportOptions {
    /// Returns the folder for a file of this date.
    func folder(for date: WallTime) -> String {
        switch layout {
        case .folder(let folder): return folder
        case .byMonth:
            let fields = date.fields
            return "\(fields.year.zeroPadded(to: 4))/\(fields.month.zeroPadded(to: 2))"
        }
    }
}
