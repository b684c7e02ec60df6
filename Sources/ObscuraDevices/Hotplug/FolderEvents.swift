// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// Tells that files of a folder came, went or changed their rights (inotify). On `/dev` it works in
/// containers, and sees what udev does after the kernel.
///
/// `Sendable`: the descriptor is constant, and each call of the kernel stands for itself.
final class FolderEvents: Sendable {
    let descriptor: Int32

    /// Nil if there is no such folder, or the system watches as many as it may.
    init?(folder: String) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let kinds = IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM
        guard inotify_add_watch(descriptor, folder, UInt32(kinds)) >= 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Takes everything that waits. Returns whether the video nodes may have changed.
    func drain() -> Bool {
        var isAboutVideo = false
        var buffer = [UInt8](repeating: 0, count: 16384)
        for _ in 0..<256 {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return isAboutVideo }
            isAboutVideo = isAboutVideo || Self.isAboutVideo(buffer.prefix(count))
        }
        return true
    }

    /// Whether one of the events names a video node, or says that events were lost. An event is its watch,
    /// its kinds, a cookie, the length of the name (four bytes each), and the name, filled up with zeros.
    static func isAboutVideo(_ events: ArraySlice<UInt8>) -> Bool {
        var rest = events
        while rest.count >= 16 {
            let field = { (index: Int) in
                rest.dropFirst(index * 4).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            if field(1) & UInt32(IN_Q_OVERFLOW) != 0 { return true }
            let length = Int(field(3))
            guard length <= rest.count - 16 else { return true }
            if rest.dropFirst(16).prefix(length).starts(with: "video".utf8) { return true }
            rest = rest.dropFirst(16 + length)
        }
        return false
    }
}
