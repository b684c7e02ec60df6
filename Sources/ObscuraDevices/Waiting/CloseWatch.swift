// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import Glibc

/// Tells when some process closes a node: what was in use may be free then. Made after one's own try, whose
/// closing is no news.
final class CloseWatch: Sendable {
    /// Readable once the node was closed; nil where the system cannot watch.
    let descriptor: Int32?

    /// Watches from now on.
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
