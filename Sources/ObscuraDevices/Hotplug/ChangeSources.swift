// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// Everything that can wake a monitor, and the endPipe that ends its thread.
///
/// `Sendable`: the descriptors are constant, and each call of the kernel stands for itself.
final class ChangeSources: Sendable {
    /// What a wait came to.
    enum Wake: Sendable {
        /// The nodes may have changed.
        case changed
        /// Something else happened, or nothing within the time.
        case quiet
        case stopped
    }

    private let kernel: KernelEvents?
    private let folder: FolderEvents?
    /// What is written into the one end is read at the other.
    private let endPipe: [Int32]

    /// - Parameters:
    ///   - files: whose `/dev` is watched; only of the machine itself the kernel is asked too.
    ///   - signs: what counts as a change.
    /// - Returns: nil if the system has no descriptors left.
    init?(files: FileTree, signs: ChangeSigns) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        endPipe = ends
        kernel = files.isMachine ? KernelEvents(subsystem: signs.subsystem) : nil
        folder = FolderEvents(folders: signs.folders.map(files.place(of:)), names: signs.names)
    }

    deinit {
        for end in endPipe { close(end) }
    }

    /// Whether the system tells of changes; else one has to look now and then.
    var areTold: Bool { kernel != nil || folder != nil }

    /// Ends the waits, now and later.
    func stop() {
        _ = write(endPipe[1], [UInt8(1)], 1)
    }

    /// Rounded up: who waits for a part of a millisecond must not ask again and again meanwhile.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let nanoseconds = max(0, duration.wholeNanoseconds)
        return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0))
    }

    /// Blocks until something happens, or for so long; nil waits without end.
    func wait(atMost duration: Duration?) -> Wake {
        let milliseconds = duration.map { Self.milliseconds($0) } ?? -1
        var polled = [endPipe[0], kernel?.descriptor ?? -1, folder?.descriptor ?? -1]
            .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return .quiet }
        if polled[0].revents != 0 { return .stopped }
        // Both must be drained, or the other would wake again at once.
        let changes = [
            polled[1].revents != 0 && kernel?.drain() == true, polled[2].revents != 0 && folder?.drain() == true,
        ]
        return changes.contains(true) ? .changed : .quiet
    }
}
