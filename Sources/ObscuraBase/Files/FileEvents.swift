// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The kernel's events of files and folders (inotify).
///
/// `Sendable`: the descriptor is constant, and each system call is atomic.
package final class FileEvents: Sendable {
    /// One event.
    package struct Event: Sendable, Hashable {
        /// The number that ``watch(_:for:)`` returned.
        package let watch: Int32
        /// The kinds, as bits of inotify(7).
        package let kinds: UInt32
        /// The name of the file in a watched folder; empty for the watched file itself, and for a name that is not
        /// valid UTF-8.
        package let name: String
    }

    /// Readable while events are pending.
    package let descriptor: Int32

    /// - Throws: `EMFILE` if the user's limit of instances is reached.
    package init() throws(SystemError) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw .last }
    }

    deinit {
        close(descriptor)
    }

    /// Starts watching a file or folder.
    ///
    /// - Returns: the number of the watch; the same for a file that is watched already.
    /// - Throws: `ENOSPC` if the user's limit of watches is reached.
    @discardableResult
    package func watch(_ path: String, for kinds: Int) throws(SystemError) -> Int32 {
        let number = inotify_add_watch(descriptor, path, UInt32(kinds))
        guard number >= 0 else { throw .last }
        return number
    }

    /// Reads all pending events. Nil if events were lost.
    package func read() -> [Event]? {
        var events: [Event] = []
        var buffer = [UInt8](repeating: 0, count: 16384)
        for _ in 0..<256 {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return events }
            guard let parsed = Self.parse(buffer.prefix(count)) else { return nil }
            events += parsed
        }
        return nil
    }

    /// Parses events. An event has the watch, the kinds, a cookie and the length of the name (four bytes each), and the
    /// name, padded with zeros. Nil for incomplete events, and if the kernel reports lost ones.
    package static func parse(_ bytes: ArraySlice<UInt8>) -> [Event]? {
        var events: [Event] = []
        var rest = bytes
        while rest.count >= 16 {
            let field = { (index: Int) in
                rest.dropFirst(index * 4).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            let length = Int(field(3))
            guard length <= rest.count - 16, field(1) & UInt32(IN_Q_OVERFLOW) == 0 else { return nil }
            let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
            events.append(
                Event(
                    watch: Int32(bitPattern: field(0)), kinds: field(1),
                    name: String(validating: name, as: UTF8.self) ?? ""))
            rest = rest.dropFirst(16 + length)
        }
        return events
    }
}
