// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// The folder of photos and movies: flat, accessed by file names, and isolated from the rest of the file system.
///
/// Names come from pages; ``MediaName`` and ``MediaDirectory`` ensure that none leads out of the folder. Other
/// programs may add and delete files at any time, so that each call reads the folder again. All methods suspend while
/// the folder's own threads access the disk, and throw ``ObscuraError``: `invalidName`, `noSuchItem`, `unusableFolder`,
/// `diskFull`, `failed`, or `tooMuch` if too many calls are pending.
final class MediaFolder: Sendable {
    /// Maximum number of items in a page of the list.
    static let longestPage = 1000
    /// Maximum number of files to list; any others are omitted.
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
    let thumbnails: ThumbnailCache?
    /// Number of uploads in progress; it is limited, so that simultaneous uploads cannot fill the disk.
    let uploads = Lock(0)
    private let files = WorkerPool(name: "library", threads: 4)
    /// Threads for decoding and encoding, at a lower priority than cameras and listings.
    private let painters = WorkerPool(name: "library pictures", threads: 2, niceness: 5)
    /// The thread for what nobody waits for, such as the storage of thumbnails.
    let background = WorkerPool(name: "library background", threads: 1, niceness: 19)
    /// Number of thumbnails that wait to be stored.
    let pendingThumbnails = Lock(0)
    private let outlines = Lock(BoundedCache<OutlineKey, MediaOutline>(limit: mostOutlines))
    private let calls = Lock(0)

    /// Opens the folder, which is created if missing. Blocks.
    ///
    /// - Parameters:
    ///   - freeSpaceFloor: number of bytes that always remain free on its disk.
    ///   - thumbnails: the cache of small pictures on the disk; nil for none.
    /// - Throws: ``ObscuraError/Code/unusableFolder``.
    init(
        path: String, freeSpaceFloor: Int64 = 64 << 20, thumbnails: ThumbnailCache? = nil
    ) throws(ObscuraError) {
        self.thumbnails = thumbnails
        directory = try MediaDirectory(path: path, freeSpaceFloor: freeSpaceFloor)
        uniqueNames = UniqueNames(in: directory)
    }

    /// Path of the folder, with links resolved.
    var path: String { directory.path }
    /// Free space on its disk, in bytes. Blocks, on a network file system possibly for long; see ``FreeSpace`` for an
    /// alternative.
    var freeSpace: Int64 { directory.freeSpace }

    /// Returns a page of the list, most recently changed files first, and the total number of items.
    ///
    /// - Parameter limit: maximum number of items; values above ``longestPage`` are reduced to it.
    nonisolated(nonsending) func items(
        offset: Int = 0, limit: Int = MediaFolder.longestPage
    ) async throws -> (items: [MediaItem], total: Int) {
        guard offset >= 0, limit >= 0 else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "library", reason: "the offset or the limit is negative",
                advice: "Use 0 or more.")
        }
        return try await run(about: "library") { [self] in
            let names = try directory.names()
            let recipes = Set(names.filter { $0.hasSuffix(Sidecar.recipe.rawValue) })
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

    /// Returns the items with these names, in the same order; deleted ones are omitted.
    nonisolated(nonsending) func items(named texts: [String]) async throws -> [MediaItem] {
        try await run(about: "library") { [self] in
            texts.compactMap { text in (try? item(text)).flatMap { try? describe($0) } }
        }
    }

    /// Returns one photo or movie.
    ///
    /// - Parameter withMetadata: whether to include the file's metadata.
    nonisolated(nonsending) func item(named text: String, withMetadata: Bool = false) async throws -> MediaItem {
        try await run(about: text) { [self] in try describe(try item(text), withMetadata: withMetadata) }
    }

    /// Returns the upright size of a photo before its edits; nil for a movie and for a file that cannot be read.
    nonisolated(nonsending) func originalSize(of text: String) async throws -> PixelSize? {
        try await run(about: text) { [self] in
            let name = try item(text)
            guard name.type.kind == .photo, let status = directory.status(of: name.text) else { return nil }
            return outline(of: name, status).size
        }
    }

    /// Opens a photo or movie for reading.
    nonisolated(nonsending) func open(_ text: String) async throws -> MediaFile {
        try await run(about: text) { [self] in try directory.open(try item(text).text) }
    }

    /// Deletes a photo or movie, its edits, and its favorites and keywords in the library.
    nonisolated(nonsending) func delete(_ text: String) async throws {
        try await run(about: text) { [self] in
            let name = try item(text)
            guard directory.status(of: name.text) != nil else { throw ObscuraError.noSuchItem(text) }
            // In this order: after an interruption, leftover edits only reserve the name, and apply to no file.
            try directory.remove(name.text)
            for sidecar in name.sidecars { try? directory.remove(sidecar) }
            thumbnails?.remove(thumbnailPath(of: name.text))
        }
    }

    /// Returns an unused name, such as `photo-2026-11-21-201530.123.jpg`, which is reserved for the caller, and the
    /// path of the file to write.
    ///
    /// - Throws: also ``ObscuraError/Code/diskFull``, so that a full disk is detected before a photo is taken.
    nonisolated(nonsending) func freshPath(
        prefix: String, ending: String, at date: WallTime = .now
    ) async throws -> (name: String, path: String) {
        try await run(about: prefix) { [self] in
            try directory.requireSpace(for: 0, path)
            let name = try uniqueNames.claim(stem: "\(prefix)-\(date.fileStamp)", ending: ending)
            return (name.text, try directory.path(of: name.text))
        }
    }

    /// Runs `body` on a thread of the folder; errors get the subject `subject`.
    ///
    /// - Parameter isPainting: whether `body` needs much CPU time, in addition to disk access.
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
                .studio, .tooMuch, subject: subject, reason: "too many requests at once",
                advice: "Try again in a moment.")
        }
        defer { calls.withLock { $0 -= 1 } }
        return try await (isPainting ? painters : files).run {
            Result { try body() }.mapError { ObscuraError($0, about: subject) }
        }.get()
    }

    /// Deletes a draft without waiting for completion.
    func discard(_ draft: DraftFile) {
        files.async { draft.discard() }
    }

    /// Returns the name if it is valid, and not that of a movie file in recording.
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

    /// Returns the file's outline, from the cache if the file has not changed. An unreadable file is also cached, as
    /// empty.
    func outline(of name: MediaName, _ status: FileStatus) -> MediaOutline {
        let key = OutlineKey(name: name.text, status: status)
        if let known = outlines.withLock({ $0.value(for: key) }) { return known }
        guard let file = try? directory.open(name.text) else { return MediaOutline() }
        let outline = (try? MediaReading(file, as: name.type.kind)).map(MediaOutline.init) ?? MediaOutline()
        let opened = OutlineKey(name: name.text, status: file.status)
        outlines.withLock { $0.insert(outline, cost: 1, for: opened) }
        return outline
    }
}
