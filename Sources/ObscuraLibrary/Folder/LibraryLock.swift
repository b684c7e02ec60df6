// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The exclusive right to change the files of a library, among all threads and processes.
///
/// Each change takes it for a short time. The system releases it if the process ends.
final class LibraryLock: Sendable {
    private static let name = "lock"
    private static let patience = Duration.seconds(30)
    /// The time between two attempts without an event, in milliseconds.
    private static let interval: Int32 = 100

    let hidden: OpenFolder
    private let file: FileDescriptor

    /// Blocks until the lock is free.
    ///
    /// - Throws: ``ObscuraError/Code/timedOut`` if another process holds it for 30 s;
    ///   ``ObscuraError/Code/notAuthorized`` if this process cannot write to the folder.
    init(_ folder: LibraryFolder) throws(ObscuraError) {
        try folder.requirePresence()
        do throws(SystemError) {
            hidden = try folder.root.makeSubfolder(LibraryFolder.hidden)
            file = try FileDescriptor(opening: Self.name, in: hidden.file, O_RDWR | O_CREAT | O_NOFOLLOW)
        } catch {
            switch error.number {
            case EACCES, EPERM, EROFS: throw .readOnly(folder.path)
            default: throw ObscuraError(error, writing: folder.path, domain: .library)
            }
        }
        guard isLocked() || waitsForLock(until: .now + Self.patience) else {
            throw ObscuraError(
                .library, .timedOut, subject: folder.path,
                reason: "another process has been changing the library for 30 seconds",
                advice: "Wait for the other process, or end it.")
        }
    }

    /// Blocks until the lock is taken. Returns false if it is not free before the deadline.
    private func waitsForLock(until deadline: HostTime) -> Bool {
        // The owner closes the file when it is done, also if it is killed.
        let events = try? FileEvents()
        _ = try? events?.watch(file.path, for: Int(IN_CLOSE_WRITE))
        while !isLocked() {
            guard HostTime.now < deadline else { return false }
            var entry = pollfd(fd: events?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
            // A network file system does not report the close of another machine.
            poll(&entry, 1, Self.interval)
            _ = events?.read()
        }
        return true
    }

    /// Tries to take the lock. A file system without locks counts as free.
    private func isLocked() -> Bool {
        do throws(SystemError) {
            try file.lock()
            return true
        } catch {
            return error.number != EWOULDBLOCK
        }
    }
}
