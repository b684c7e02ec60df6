// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import AppleGraphics
internal import Logging
internal import Obscura
internal import ObscuraBase
package import ObscuraLibrary

/// The library of a program. The first use opens it; from then on, it is kept up to date.
///
/// Objects of this module retain their store.
package final class PhotoStore: Sendable {
    /// The library that the program uses: the folder of `OBSCURA_LIBRARY`, or that of the user. Tests have others.
    @TaskLocal package static var current = PhotoStore(path: path(ProcessInfo.processInfo.environment))

    static let logger = Logger(label: "obscura.photos")
    /// Threads for files outside of the library, and for encoding.
    static let work = WorkerPool(name: "photos", threads: 2)
    static let executor = PoolExecutor(WorkerPool(name: "photos tasks", threads: 1))

    private struct State {
        var library: MediaLibrary?
        var watch: Task<Void, Never>?
        /// The paths of files that are being added.
        var claimed: Set<String> = []
    }

    /// The folder of the library.
    package let path: String
    /// Held while changes are made, so that they are made in the order of their requests.
    let changing = AsyncMutex()
    private let options: MediaLibrary.Options
    private let opening = AsyncMutex()
    private let state = Lock(State())

    package init(path: String, options: MediaLibrary.Options = MediaLibrary.Options()) {
        (self.path, self.options) = (path, options)
    }

    deinit {
        state.withLock { $0.watch }?.cancel()
    }

    /// The folder of the library, from environment variables.
    package static func path(_ environment: [String: String]) -> String {
        environment["OBSCURA_LIBRARY"].flatMap { $0.isEmpty ? nil : $0 } ?? MediaLibrary.defaultPath
    }

    /// The rights of this process on the folder, determined by trying. A folder that does not exist yet has the rights of
    /// the one in which it would be created. Blocks on the disk.
    var rights: MediaLibrary.AuthorizationStatus {
        var folder = URL(fileURLWithPath: path)
        while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
            folder.deleteLastPathComponent()
        }
        let rights = MediaLibrary.authorizationStatus(forFolder: folder.path)
        return rights == .readOnly && folder.path != URL(fileURLWithPath: path).path ? .none : rights
    }

    /// The library, after the first search for files that are new, changed or missing.
    nonisolated(nonsending) func library() async throws(ObscuraError) -> MediaLibrary {
        if let library = opened { return library }
        _ = await opening.lock(isCancellable: false)
        defer { opening.unlock() }
        if let library = opened { return library }
        let library = try await MediaLibrary(path: path, options: options)
        try await watch(library)
        state.withLock { $0.library = library }
        return library
    }

    /// Whether a path is that of the folder.
    func isFolder(_ path: String) -> Bool { path == self.path || path == opened?.path }

    private var opened: MediaLibrary? { state.withLock { $0.library } }

    /// Keeps a library up to date. Returns after the first refresh.
    nonisolated(nonsending) private func watch(_ library: MediaLibrary) async throws(ObscuraError) {
        let (refreshes, report) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // Detached, since a task keeps the store that is current where it was created.
        let task = Task.detached(executorPreference: Self.executor) { [weak self] in
            do throws(ObscuraError) {
                try await library.watch { _ in report.yield() }
            } catch {
                self?.watchFailed(error)
            }
            report.finish()
        }
        state.withLock { $0.watch = task }
        if await refreshes.first(where: { _ in true }) == nil { try await library.refresh() }
    }

    private func watchFailed(_ error: ObscuraError) {
        Self.logger.error("changes by other programs are no longer detected: \(error)")
        // The next use opens the folder again, if it exists by then.
        if error.code == .notFound { state.withLock { $0.library = nil } }
    }

    /// Calls `body` with the library. The thread of the caller waits.
    func blocking<R: Sendable>(
        _ body: @escaping @Sendable (MediaLibrary) async throws(ObscuraError) -> R
    ) throws(ObscuraError) -> R {
        let result = BlockingCall.run { [self] () -> Result<R, ObscuraError> in
            do throws(ObscuraError) {
                return .success(try await body(try await library()))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Calls a handler of the program on a queue, with this as the present library.
    func call(on queue: DispatchQueue = .global(), _ handler: @escaping @Sendable () -> Void) {
        queue.async { [self] in Self.$current.withValue(self) { handler() } }
    }

    /// Reserves a path for a file to add. Returns false if another file has it.
    func claim(_ path: String) -> Bool { state.withLock { $0.claimed.insert(path).inserted } }
    func release(_ path: String) { state.withLock { _ = $0.claimed.remove(path) } }
}
