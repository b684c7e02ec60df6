// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
public import ObscuraMedia

extension MediaLibrary {
    /// Keeps the index up to date while other programs change the folder. Refreshes the library, and then waits for
    /// changes until the task is cancelled.
    ///
    /// While this method runs, ``updates(matching:limit:)`` also reports the changes of other processes.
    ///
    /// - Parameter onRefresh: called on a thread of the library: after the first refresh, and after each later refresh
    ///   that found a change.
    /// - Throws: ``ObscuraError/Code/notFound`` if the folder disappeared; ``ObscuraError/Code/tooLarge`` if it has
    ///   more folders than the system lets the user watch.
    nonisolated(nonsending) public func watch(
        onRefresh: (@Sendable (RefreshReport) -> Void)? = nil
    ) async throws(ObscuraError) {
        let (reading, writing) = try Self.makePipe()
        // The watch has its own thread, since it waits.
        let thread = WorkerPool(name: "library watch", threads: 1)
        do throws(ObscuraError) {
            try await thread.runCancellable(onCancel: { try? writing.write([0]) }) {
                [self] isCancelled throws(ObscuraError) in
                try watch(reading, isCancelled, onRefresh)
            }
        } catch {
            guard error.code == .cancelled else { throw error }
        }
    }

    /// The number of changes of the index so far, of this process and of others; see ``change(after:)``.
    package var changeCount: UInt64 { signal.count }

    /// Suspends until ``changeCount`` differs from `seen`, or the task is cancelled.
    nonisolated(nonsending) package func change(after seen: UInt64) async {
        await signal.wait(after: seen)
    }

    /// Blocks until the watch is cancelled.
    private func watch(
        _ cancellation: FileDescriptor, _ isCancelled: @escaping @Sendable () -> Bool,
        _ onRefresh: (@Sendable (RefreshReport) -> Void)?
    ) throws(ObscuraError) {
        let watch = try FolderWatch(index.location, cancellation: cancellation)
        var changes = FolderWatch.Changes()
        changes.isUnknown = true
        var isFirst = true
        while true {
            if changes.isIndexChanged { signal.advance() }
            if changes.concernsFiles {
                let report = try refresh(changes, watch, isCancelled)
                if isFirst || !report.isUnchanged { onRefresh?(report) }
                isFirst = false
            }
            guard var next = watch.wait(until: nil) else { return }
            // Programs change several files at once: waits until nothing has changed for 0.1 s, but at most 1 s.
            let latest = HostTime.now + .seconds(1)
            while HostTime.now < latest {
                guard let more = watch.wait(until: min(latest, .now + .milliseconds(100))) else { return }
                if more.isEmpty { break }
                next.merge(more)
            }
            changes = next
        }
    }

    private func refresh(
        _ changes: FolderWatch.Changes, _ watch: FolderWatch, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(ObscuraError) -> RefreshReport {
        var refresh = Refresh(self, isCancelled: isCancelled)
        var failure: ObscuraError?
        // The list of albums is in the hidden folder.
        if let hidden = try? folder.folder(LibraryFolder.hidden) { _ = try watch.add(LibraryFolder.hidden, hidden) }
        let scope = changes.isUnknown ? [PathKey("")] : changes.folders.subtracting([PathKey(LibraryFolder.hidden)])
        let report = try refresh.run(
            scope, findsDeletedFolders: changes.isUnknown || changes.hasChangedFolders
        ) { path, folder in
            do throws(ObscuraError) {
                // Folders that are watched already report their own changes.
                return try watch.add(path, folder) || changes.isUnknown || changes.hasChangedFolders
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        return report
    }

    private static func makePipe() throws(ObscuraError) -> (reading: FileDescriptor, writing: FileDescriptor) {
        var numbers: [Int32] = [-1, -1]
        guard pipe(&numbers) == 0 else {
            throw ObscuraError(.last, reading: "library folder", domain: .library)
        }
        for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        return (FileDescriptor(owning: numbers[0]), FileDescriptor(owning: numbers[1]))
    }
}
