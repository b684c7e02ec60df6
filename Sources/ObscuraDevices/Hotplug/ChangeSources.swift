// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// All event sources of a monitor, with a socket pair that ends its thread.
///
/// `Sendable`: the descriptors are constant, and each system call is atomic.
final class ChangeSources: Sendable {
    /// The result of a wait.
    enum Outcome: Sendable {
        /// The nodes may have changed.
        case changed
        /// No node has changed: only other events occurred, or no event occurred within the time limit.
        case quiet
        case stopped
    }

    /// The interval of attempts to connect with PipeWire through the desktop portal.
    private static let retryInterval = Duration.seconds(2)

    private let kernel: KernelEvents?
    private let folder: FolderEvents?
    private let graph: PipeWireChanges?
    /// The start of a PipeWire daemon.
    private let daemon: FolderEvents?
    /// A socket pair: a write to the second end wakes the thread.
    private let stopSockets: [Int32]

    /// Creates the sources; nil if no file descriptors are left.
    ///
    /// - Parameters:
    ///   - files: the tree whose `/dev` is watched; the kernel's events are used only for the machine itself.
    ///   - filter: the relevant events.
    ///   - graph: the relevant objects of PipeWire; nil if there are none.
    init?(files: FileTree, filter: DeviceEventFilter, graph: PipeWireChanges.Filter? = nil) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        stopSockets = ends
        kernel = files.isMachine ? KernelEvents(subsystem: filter.subsystem) : nil
        self.graph = graph.map(PipeWireChanges.init)
        daemon = graph?.remote.folder.flatMap { FolderEvents(folders: [$0], prefixes: ["pipewire-"]) }
        folder = FolderEvents(folders: filter.folders.map(files.place(of:)), prefixes: filter.prefixes)
    }

    deinit {
        for end in stopSockets { Glibc.close(end) }
    }

    /// Whether the system reports changes; otherwise periodic scans are necessary.
    var reportChanges: Bool { kernel != nil || folder != nil }

    /// Ends the connection with PipeWire. For the thread that waits, at its end.
    func close() {
        graph?.close()
    }

    /// Ends current and future waits.
    func stop() {
        _ = write(stopSockets[1], [UInt8(1)], 1)
    }

    /// Returns the duration in milliseconds, rounded up, so that a wait for less than a millisecond is not a busy loop.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let nanoseconds = max(0, duration.wholeNanoseconds)
        return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0))
    }

    /// Blocks until an event; for at most `duration`, or without a limit for nil. May return earlier without an event.
    func wait(atMost duration: Duration?) -> Outcome {
        var polled = [
            stopSockets[0], kernel?.descriptor ?? -1, folder?.descriptor ?? -1, graph?.descriptor ?? -1,
            daemon?.descriptor ?? -1,
        ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let limit = graph?.mustRetry == true ? min(duration ?? Self.retryInterval, Self.retryInterval) : duration
        let milliseconds = limit.map { Self.milliseconds($0) } ?? -1
        guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return .quiet }
        if polled[0].revents != 0 { return .stopped }
        // All are drained, since an event left in one would wake the thread again at once.
        let changes = [
            polled[1].revents != 0 && kernel?.drain() == true, polled[2].revents != 0 && folder?.drain() == true,
            polled[3].revents != 0 && graph?.drain() == true, polled[4].revents != 0 && daemon?.drain() == true,
        ]
        return changes.contains(true) ? .changed : .quiet
    }
}
