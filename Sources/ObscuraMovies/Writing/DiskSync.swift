// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The synchronization of a file with the disk once a second, on its own thread. A power loss then loses no more data
/// than a crash, and no encoder waits for a disk.
final class DiskSync: Sendable {
    private struct State {
        var isBusy = false
        var last = HostTime.now
    }

    private static let pool = WorkerPool(name: "disk", threads: 1)
    private static let interval = Duration.seconds(1)

    private let file: FileDescriptor
    private let state = Lock(State())

    /// Returns nil if the file cannot be opened a second time.
    init?(path: String) {
        guard let file = try? FileDescriptor(opening: path, O_RDONLY) else { return nil }
        self.file = file
    }

    /// Requests a synchronization if one is due. Does not block.
    func poke() {
        let isDue = state.withLock { state in
            guard !state.isBusy, HostTime.now - state.last >= Self.interval else { return false }
            state.isBusy = true
            return true
        }
        guard isDue else { return }
        Self.pool.async { [self] in
            try? file.synchronize(isDataOnly: true)
            state.withLock { $0 = State(isBusy: false, last: .now) }
        }
    }
}
