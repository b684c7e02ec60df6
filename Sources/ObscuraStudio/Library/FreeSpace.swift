// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The free disk space of a folder, without blocking: a network file system may take long to respond.
///
/// The value is up to one second old, or as old as the time the disk takes to respond.
final class FreeSpace: Sendable {
    private struct State {
        var bytes: Int64
        var time: HostTime
        var isAsking = false
    }

    private static let worker = WorkerPool(name: "disk", threads: 1)
    private let folder: MediaFolder
    private let state: Lock<State>

    /// Reads the first value. Blocks.
    init(of folder: MediaFolder) {
        self.folder = folder
        state = Lock(State(bytes: folder.freeSpace, time: .now))
    }

    /// The value that was last read, in bytes. Does not block.
    var bytes: Int64 {
        let (bytes, isOld) = state.withLock { state in
            let isOld = !state.isAsking && HostTime.now - state.time >= .seconds(1)
            if isOld { state.isAsking = true }
            return (state.bytes, isOld)
        }
        if isOld {
            Self.worker.async { [self] in
                let bytes = folder.freeSpace
                state.withLock { $0 = State(bytes: bytes, time: .now) }
            }
        }
        return bytes
    }
}
