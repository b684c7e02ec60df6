// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// Tells that files of some folders came, went or changed their rights (inotify). On `/dev` it works in
/// containers, and sees what udev does after the kernel.
///
/// `Sendable`: the descriptor is constant, and each call of the kernel stands for itself.
final class FolderEvents: Sendable {
    let descriptor: Int32
    private let folders: [String]
    private let names: [String]

    /// Nil if none of the folders is there, or the system watches as many as it may.
    ///
    /// - Parameters:
    ///   - folders: one that is not there yet is watched when something has happened in another, as when it was
    ///     made.
    ///   - names: what the names of the files begin with that are told of.
    init?(folders: [String], names: [String]) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.folders = folders
        self.names = names
        guard watch() else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Watches each folder that is there; one that is watched already stays so. Returns whether any is.
    private func watch() -> Bool {
        let kinds = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM)
        return folders.map { inotify_add_watch(descriptor, $0, kinds) >= 0 }.contains(true)
    }

    /// Takes everything that waits. Returns whether the nodes may have changed.
    func drain() -> Bool {
        // Before anything is looked at: a file that comes to a new folder from here on is told.
        if folders.count > 1 { _ = watch() }
        var isAboutOurs = false
        var buffer = [UInt8](repeating: 0, count: 16384)
        for _ in 0..<256 {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return isAboutOurs }
            isAboutOurs = isAboutOurs || Self.names(names, in: buffer.prefix(count))
        }
        return true
    }

    /// Whether one of the events names a file that begins so, or says that events were lost. An event is its watch,
    /// its kinds, a cookie, the length of the name (four bytes each), and the name, filled up with zeros.
    static func names(_ names: [String], in events: ArraySlice<UInt8>) -> Bool {
        var rest = events
        while rest.count >= 16 {
            let field = { (index: Int) in
                rest.dropFirst(index * 4).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            if field(1) & UInt32(IN_Q_OVERFLOW) != 0 { return true }
            let length = Int(field(3))
            guard length <= rest.count - 16 else { return true }
            let name = rest.dropFirst(16).prefix(length)
            if names.contains(where: { name.starts(with: $0.utf8) }) { return true }
            rest = rest.dropFirst(16 + length)
        }
        return false
    }
}
