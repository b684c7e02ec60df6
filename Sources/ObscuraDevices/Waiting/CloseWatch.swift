// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import Glibc

/// A watch that reports when any process closes a node, which may then be free. Create it after an attempt of this
/// process to open the node, whose close would be reported too.
final class CloseWatch: Sendable {
    /// Readable once the node was closed; nil if the system's limit of watches is reached.
    let descriptor: Int32?

    /// Starts watching.
    init(path: String) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else {
            self.descriptor = nil
            return
        }
        guard inotify_add_watch(descriptor, path, UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)) >= 0 else {
            close(descriptor)
            self.descriptor = nil
            return
        }
        self.descriptor = descriptor
    }

    deinit {
        if let descriptor { close(descriptor) }
    }
}
