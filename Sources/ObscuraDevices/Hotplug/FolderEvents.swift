// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The events of files in some folders (inotify): created, removed, or with other permissions. On `/dev` it works in
/// containers, and includes the changes that udev makes after the kernel.
///
/// `Sendable`: the descriptor is constant, and each system call is atomic.
final class FolderEvents: Sendable {
    let descriptor: Int32
    private let folders: [String]
    private let prefixes: [String]

    /// Starts watching; nil if none of the folders exists, or the system's limit of watches is reached.
    ///
    /// - Parameters:
    ///   - folders: a missing one is watched after the next event in another one, such as its creation.
    ///   - prefixes: the prefixes of relevant file names.
    init?(folders: [String], prefixes: [String]) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.folders = folders
        self.prefixes = prefixes
        guard watch() else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Watches each existing folder that is not watched yet. Returns whether any folder is watched.
    private func watch() -> Bool {
        let kinds = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM)
        return folders.map { inotify_add_watch(descriptor, $0, kinds) >= 0 }.contains(true)
    }

    /// Reads all pending events. Returns whether the nodes may have changed.
    func drain() -> Bool {
        // Before any scan: files created in a new folder from here on are reported.
        if folders.count > 1 { _ = watch() }
        var isRelevant = false
        var buffer = [UInt8](repeating: 0, count: 16384)
        for _ in 0..<256 {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return isRelevant }
            isRelevant = isRelevant || Self.hasName(prefixedBy: prefixes, in: buffer.prefix(count))
        }
        return true
    }

    /// Whether one of the events has a relevant name, or reports lost events. An event has the watch, the kinds, a
    /// cookie and the length of the name (four bytes each), and the name, padded with zeros.
    static func hasName(prefixedBy prefixes: [String], in events: ArraySlice<UInt8>) -> Bool {
        var rest = events
        while rest.count >= 16 {
            let field = { (index: Int) in
                rest.dropFirst(index * 4).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            if field(1) & UInt32(IN_Q_OVERFLOW) != 0 { return true }
            let length = Int(field(3))
            guard length <= rest.count - 16 else { return true }
            let name = rest.dropFirst(16).prefix(length)
            if prefixes.contains(where: { name.starts(with: $0.utf8) }) { return true }
            rest = rest.dropFirst(16 + length)
        }
        return false
    }
}
