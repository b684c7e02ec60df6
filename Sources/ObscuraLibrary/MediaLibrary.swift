// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraFFmpeg
public import ObscuraMedia

/// A library of photos and movies in a folder and its subfolders.
///
/// ```swift
/// let library = try await MediaLibrary()
/// try await library.refresh()
/// let page = try await library.items(matching: LibraryQuery(kind: .photo), limit: 60)
/// ```
///
/// The library consists of ordinary files. Photos and movies are never changed; edits, favorites, keywords and albums
/// are stored in files beside them. Queries use an index in the user's cache folder, which ``refresh(progress:)`` and
/// ``rebuildIndex(progress:)`` update from the files. Other programs and other processes may use the folder at the same
/// time. Symbolic links in the folder are not followed, so each item is a file in the folder.
///
/// Paths of items are relative to the folder, and separated by slashes. Files and folders whose names begin with a dot
/// are not items. The asynchronous methods do their work on threads of the library. Methods throw ``ObscuraError`` of
/// the domain `library`.
public final class MediaLibrary: Sendable {
    /// Settings for opening a library.
    public struct Options: Sendable, Hashable {
        /// Whether a missing folder is created.
        public var createsFolder = true
        /// The folder for the index and the thumbnails of edited photos; nil for the folder `obscura/library` in
        /// `$XDG_CACHE_HOME` or `~/.cache`. It must be on a local disk.
        public var cacheFolder: String?
        /// The folder for thumbnails of files without edits; nil for the user's thumbnail cache, which file managers
        /// share.
        public var thumbnailFolder: String?
        /// The minimum of free space on the disk of the library, in bytes. Operations that would leave less fail with
        /// ``ObscuraError/Code/diskFull``, except moves of items, also to the trash and back.
        public var minimumFreeSpace: Int64 = 64 << 20

        /// Creates the default settings.
        public init() {}
    }

    /// The rights of this process on a folder.
    public enum AuthorizationStatus: String, Sendable, Hashable, Codable {
        /// The folder does not exist, or cannot be read.
        case none
        /// The folder can only be read.
        case readOnly
        /// The folder can be read and changed.
        case readWrite
    }

    /// The absolute path of the folder, without links.
    public let path: String

    let folder: LibraryFolder
    let index: LibraryIndex
    let reader: ItemReader
    let signal = ChangeSignal()
    /// Threads for files, and for reading their contents.
    let files = WorkerPool(name: "library", threads: 4)
    /// Threads for operations that may take minutes, so that queries do not wait for them.
    let longRunning = WorkerPool(name: "library work", threads: 4)
    let readers = WorkerPool(name: "library readers", threads: max(2, WorkerPool.coreCount))
    let thumbnails: ThumbnailCache
    private static let openers = WorkerPool(name: "library opening", threads: 2)

    /// Opens a library, without reading its files: call ``refresh(progress:)`` to find the files that were added,
    /// changed or removed since the last refresh.
    ///
    /// - Parameters:
    ///   - path: the folder; by default ``defaultPath``.
    ///   - options: the settings.
    /// - Throws: ``ObscuraError/Code/notFound`` or ``ObscuraError/Code/notAuthorized`` for the folder;
    ///   ``ObscuraError/Code/notWritable`` if the index cannot be created; ``ObscuraError/Code/libraryMissing`` without
    ///   FFmpeg.
    nonisolated(nonsending) public convenience init(
        path: String = MediaLibrary.defaultPath, options: Options = Options()
    ) async throws(ObscuraError) {
        self.init(try await Self.openers.run { () throws(ObscuraError) in try Opened(path, options) })
    }

    private init(_ opened: Opened) {
        folder = opened.folder
        path = opened.folder.path
        index = opened.index
        reader = ItemReader(folder: opened.folder)
        thumbnails = opened.thumbnails
    }

    /// The name of the hidden folder in the folder of a library.
    package static let hiddenFolder = LibraryFolder.hidden

    /// The folder `Obscura` in the user's folder for pictures, which is usually `~/Pictures`.
    public static var defaultPath: String { "\(UserFolders.pictures)/Obscura" }

    /// The rights of this process on the folder, determined by reading it and creating a temporary file in it. Blocks
    /// on the disk.
    ///
    /// - Parameter path: the folder of a library.
    public static func authorizationStatus(forFolder path: String) -> AuthorizationStatus {
        guard let folder = try? OpenFolder(path: path), (try? folder.listing()) != nil else { return .none }
        return (try? DraftFile(in: folder, isNameless: false)) == nil ? .readOnly : .readWrite
    }

    /// The rights of this process on the folder of this library, determined by reading it and creating a temporary file
    /// in it.
    nonisolated(nonsending) public var authorizationStatus: AuthorizationStatus {
        get async { await files.run { [path] in Self.authorizationStatus(forFolder: path) } }
    }

    /// Runs `body`, which may block, on a thread of the library.
    nonisolated(nonsending) func run<R: Sendable>(
        _ body: @escaping @Sendable () throws(ObscuraError) -> R
    ) async throws(ObscuraError) -> R {
        try await files.run(body)
    }

    /// Runs `body` as the only one that changes the library, after completing the moves of a killed process.
    func change<R>(_ body: (LibraryLock) throws(ObscuraError) -> R) throws(ObscuraError) -> R {
        let lock = try LibraryLock(folder)
        defer { withExtendedLifetime(lock) {} }
        let completed = try MoveJournal(folder, lock).complete()
        if !completed.isEmpty {
            try reindex(completed.flatMap { [$0.from, $0.to] }.compactMap { try? LibraryPath($0) })
        }
        return try body(lock)
    }

    /// Completes the moves of a killed process, if this process may.
    func completeMoves() throws(ObscuraError) {
        guard MoveJournal.isPending(folder) else { return }
        do throws(ObscuraError) {
            try change { _ throws(ObscuraError) in }
        } catch {
            // Another process may complete them, or be about to.
            guard [.notAuthorized, .timedOut].contains(error.code) else { throw error }
        }
    }

    /// Reads items from the files again, and updates the index.
    func reindex(_ paths: [LibraryPath]) throws(ObscuraError) {
        let changes = paths.filter { $0.type != nil }.map { path -> LibraryIndex.Change in
            reader.record(at: path).map { .put($0) } ?? .remove(path: path.text)
        }
        try index.apply(changes)
        signal.advance()
    }

    /// Returns the path of an existing item.
    ///
    /// - Throws: ``ObscuraError/Code/invalidPath``, ``ObscuraError/Code/notFound``.
    func existing(_ text: String) throws(ObscuraError) -> LibraryPath {
        let path = try LibraryPath(text)
        guard path.type != nil, folder.status(of: path) != nil else {
            try folder.requirePresence()
            throw .noSuchItem(text)
        }
        return path
    }
}

/// The parts of a library that are opened with it.
private struct Opened: Sendable {
    let folder: LibraryFolder
    let index: LibraryIndex
    let thumbnails: ThumbnailCache

    /// Blocks on the disk.
    init(_ path: String, _ options: MediaLibrary.Options) throws(ObscuraError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .invalidPath(path, "it is empty or contains a zero byte")
        }
        // Without it, all movies would be unreadable, and stay so in the index.
        try FFmpegLibrary.load()
        if options.createsFolder, access(path, F_OK) != 0 { try OutputFile.makeFolder(path) }
        folder = try LibraryFolder(path: path, minimumFreeSpace: options.minimumFreeSpace)
        guard let cache = options.cacheFolder ?? UserFolders.cache.map({ "\($0)/\(UserFolders.indexes)" }) else {
            throw ObscuraError(
                .library, .invalidSettings, subject: "index of the library",
                reason: "neither XDG_CACHE_HOME nor HOME is set to an absolute path",
                advice: "Set HOME or XDG_CACHE_HOME, or specify a folder for the index.")
        }
        index = try LibraryIndex(
            LibraryIndex.Location(folder: cache, name: "\(MD5.hex(of: Array(folder.path.utf8))).sqlite"))
        thumbnails = ThumbnailCache(
            shared: options.thumbnailFolder ?? "\(UserFolders.cache ?? cache)/thumbnails", own: "\(cache)/thumbnails")
    }
}
