// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// What is free on the disk of a folder, for whoever must not wait: a disk in a network may not answer for long.
///
/// It is as old as a second, or as long as the disk takes.
final class FreeSpace: Sendable {
    private struct State {
        var bytes: Int64
        var time: HostTime
        var isAsking = false
    }

    private static let worker = WorkerPool(name: "disk", threads: 1)
    private let folder: MediaFolder
    private let state: Lock<State>

    /// Asks for the first time, and waits for that.
    init(of folder: MediaFolder) {
        self.folder = folder
        state = Lock(State(bytes: folder.freeSpace, time: .now))
    }

    /// What it was when it was asked last. Does not wait.
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
