// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The folder of photos and movies as the Studio sees it: flat, by names, and closed in itself.
///
/// Names come from pages; see ``MediaName`` and ``MediaDirectory`` for why none leads out of the folder. Files may come
/// and go by other hands at any moment: each call looks anew. All methods suspend while threads of the folder's own
/// wait for the disk, and throw ``ObscuraError``: `invalidName`, `noSuchItem`, `unusableFolder`, `diskFull`, `tooMuch`
/// when too many calls wait already, `failed`.
final class MediaFolder: Sendable {
    /// A page of the list has at most so many items.
    static let longestPage = 1000
    /// Of a fuller folder, some are not listed.
    private static let mostNames = 100_000
    private static let mostOutlines = 32_768
    private static let mostPictureBytes = 32 << 20
    private static let mostCalls = 2048

    private struct OutlineKey: Sendable, Hashable {
        let name: String
        let status: FileStatus
    }

    let directory: MediaDirectory
    let uniqueNames: UniqueNames
    let pictures = PictureCache(limit: mostPictureBytes)
    /// So that nobody fills the disk with ten uploads at a time.
    let uploads = Lock(0)
    private let files = WorkerPool(name: "library", threads: 4)
    /// Gives way to cameras, and to those who only want a list.
    private let painters = WorkerPool(name: "library pictures", threads: 2, niceness: 5)
    private let outlines = Lock(BoundedCache<OutlineKey, MediaOutline>(limit: mostOutlines))
    private let calls = Lock(0)

    /// Makes the folder where it is missing. Blocks.
    ///
    /// - Parameter freeSpaceFloor: so many bytes are left free on its disk, whatever is asked.
    /// - Throws: ``ObscuraError/Code/unusableFolder``.
    init(path: String, freeSpaceFloor: Int64 = 64 << 20) throws(ObscuraError) {
        directory = try MediaDirectory(path: path, freeSpaceFloor: freeSpaceFloor)
        uniqueNames = UniqueNames(in: directory)
    }

    /// Where the folder is, without links.
    var path: String { directory.path }
    /// Bytes that may still be written on its disk. Asks the system, which may wait for a disk in a network; see
    /// ``FreeSpace``.
    var freeSpace: Int64 { directory.freeSpace }

    /// A part of the list, and how long the whole is. The file that was changed last comes first.
    ///
    /// - Parameter limit: at most ``longestPage`` come, however many are asked for.
    nonisolated(nonsending) func items(
        offset: Int = 0, limit: Int = MediaFolder.longestPage
    ) async throws -> (items: [MediaItem], total: Int) {
        guard offset >= 0, limit >= 0 else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "library", reason: "a part of it begins before its beginning",
                advice: "Ask for an offset and a limit from 0 on.")
        }
        return try await run(about: "library") { [self] in
            let names = try directory.names()
            let recipes = Set(names.filter { $0.hasSuffix(MediaName.recipeSuffix) })
            var entries: [(name: MediaName, status: FileStatus)] = []
            for name in names where entries.count < Self.mostNames {
                guard let name = try? item(name), let status = directory.status(of: name.text) else { continue }
                entries.append((name, status))
            }
            entries.sort { ($0.status.modified, $0.name.text) > ($1.status.modified, $1.name.text) }
            let page = entries.dropFirst(offset).prefix(min(limit, Self.longestPage))
            let items = page.map { name, status in
                let recipe = recipes.contains(name.recipe) ? storedRecipe(of: name) : nil
                return MediaItem(name, status, outline(of: name, status), recipe)
            }
            return (items, entries.count)
        }
    }

    /// Those of the names that are there still, in the order of the names; for the ribbon.
    nonisolated(nonsending) func items(named texts: [String]) async throws -> [MediaItem] {
        try await run(about: "library") { [self] in
            texts.compactMap { text in (try? item(text)).flatMap { try? describe($0) } }
        }
    }

    /// One photo or movie.
    ///
    /// - Parameter withMetadata: whether it comes with what the file says of itself.
    nonisolated(nonsending) func item(named text: String, withMetadata: Bool = false) async throws -> MediaItem {
        try await run(about: text) { [self] in try describe(try item(text), withMetadata: withMetadata) }
    }

    /// Opens a photo or a movie for reading.
    nonisolated(nonsending) func open(_ text: String) async throws -> MediaFile {
        try await run(about: text) { [self] in try directory.open(try item(text).text) }
    }

    /// Deletes a photo or a movie, and its edits.
    nonisolated(nonsending) func delete(_ text: String) async throws {
        try await run(about: text) { [self] in
            let name = try item(text)
            guard directory.status(of: name.text) != nil else { throw ObscuraError.noSuchItem(text) }
            // In this order: if it ends in between, what is left keeps new files from the name, and edits nothing.
            try directory.remove(name.text)
            try? directory.remove(name.recipe)
        }
    }

    /// A name that nobody has and that is given out once, such as `photo-2026-11-21-201530.123.jpg`, and the path
    /// under which its file is to be written.
    ///
    /// - Throws: also ``ObscuraError/Code/diskFull``, before a camera is asked for a picture that has no room.
    nonisolated(nonsending) func freshPath(
        prefix: String, ending: String, at date: WallTime = .now
    ) async throws -> (name: String, path: String) {
        try await run(about: prefix) { [self] in
            try directory.requireSpace(for: 0, path)
            let name = try uniqueNames.claim(stem: "\(prefix)-\(date.fileStamp)", ending: ending)
            return (name.text, try directory.path(of: name.text))
        }
    }

    /// Runs `body` on a thread of the folder's own; whatever fails is told of `subject`.
    ///
    /// - Parameter isPainting: whether it takes a processor and not only a disk.
    nonisolated(nonsending) func run<R: Sendable>(
        about subject: String, isPainting: Bool = false, _ body: @escaping @Sendable () throws -> R
    ) async throws -> R {
        let isTaken = calls.withLock { calls in
            guard calls < Self.mostCalls else { return false }
            calls += 1
            return true
        }
        guard isTaken else {
            throw ObscuraError(
                .studio, .tooMuch, subject: subject, reason: "too much is asked of the folder at once",
                advice: "Try again in a moment.")
        }
        defer { calls.withLock { $0 -= 1 } }
        return try await (isPainting ? painters : files).run {
            Result { try body() }.mapError { ObscuraError($0, about: subject) }
        }.get()
    }

    /// Takes a draft away without waiting for it.
    func discard(_ draft: DraftFile) {
        files.async { draft.discard() }
    }

    /// What may be shown: a legal name, and not the file of a movie that is being recorded now.
    func item(_ text: String) throws(ObscuraError) -> MediaName {
        let name = try MediaName(text)
        if let grown = name.grown, uniqueNames.hasClaimed(grown), !directory.isTaken(grown) { throw .noSuchItem(text) }
        return name
    }

    /// Blocks.
    func describe(_ name: MediaName, withMetadata: Bool = false) throws(ObscuraError) -> MediaItem {
        guard withMetadata else {
            guard let status = directory.status(of: name.text) else { throw .noSuchItem(name.text) }
            return MediaItem(name, status, outline(of: name, status), storedRecipe(of: name))
        }
        let file = try directory.open(name.text)
        let reading = try? MediaReading(file, as: name.type.kind)
        let outline = reading.map(MediaOutline.init) ?? MediaOutline()
        var item = MediaItem(name, file.status, outline, storedRecipe(of: name))
        item.metadata = reading?.facts ?? []
        return item
    }

    /// What a file says, from the cache where it has not changed. A file that cannot be read is remembered as such.
    private func outline(of name: MediaName, _ status: FileStatus) -> MediaOutline {
        let key = OutlineKey(name: name.text, status: status)
        if let known = outlines.withLock({ $0.value(for: key) }) { return known }
        guard let file = try? directory.open(name.text) else { return MediaOutline() }
        let outline = (try? MediaReading(file, as: name.type.kind)).map(MediaOutline.init) ?? MediaOutline()
        let opened = OutlineKey(name: name.text, status: file.status)
        outlines.withLock { $0.insert(outline, cost: 1, for: opened) }
        return outline
    }
}
