// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase

/// The events of files in some folders (inotify): created, removed, or with other permissions. On `/dev` it works in
/// containers, and includes the changes that udev makes after the kernel.
final class FolderEvents: Sendable {
    private let events: FileEvents
    private let folders: [String]
    private let prefixes: [String]

    /// Starts watching; nil if none of the folders exists, or the system's limit of watches is reached.
    ///
    /// - Parameters:
    ///   - folders: a missing one is watched after the next event in another one, such as its creation.
    ///   - prefixes: the prefixes of relevant file names.
    init?(folders: [String], prefixes: [String]) {
        guard let events = try? FileEvents() else { return nil }
        self.events = events
        self.folders = folders
        self.prefixes = prefixes
        guard watch() else { return nil }
    }

    /// Readable while events are pending.
    var descriptor: Int32 { events.descriptor }

    /// Watches each existing folder that is not watched yet. Returns whether any folder is watched.
    private func watch() -> Bool {
        let kinds = IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM
        return folders.map { (try? events.watch($0, for: Int(kinds))) != nil }.contains(true)
    }

    /// Reads all pending events. Returns whether the nodes may have changed.
    func drain() -> Bool {
        // Before any scan: files created in a new folder from here on are reported.
        if folders.count > 1 { _ = watch() }
        return Self.isRelevant(events.read(), for: prefixes)
    }

    /// Whether one of the events has a relevant name, or events were lost (nil).
    static func isRelevant(_ events: [FileEvents.Event]?, for prefixes: [String]) -> Bool {
        guard let events else { return true }
        return events.contains { event in prefixes.contains { event.name.hasPrefix($0) } }
    }
}
