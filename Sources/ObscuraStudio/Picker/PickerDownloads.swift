// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The downloads of a picker, whose progress its page shows, and which it can stop.
final class PickerDownloads: Sendable {
    /// A download in progress.
    struct Progress: Codable, Sendable, Equatable {
        let address: String
        /// The completed part, 0 to 1; nil if the server does not tell the size.
        var fraction: Double?
    }

    private struct State {
        var next = 0
        var downloads: [Int: Progress] = [:]
        var tasks: [Int: Task<MediaItem, any Error>] = [:]
    }

    private let state = Lock(State())

    /// The downloads in progress, oldest first.
    var progress: [Progress] {
        state.withLock { state in state.downloads.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Runs a download; ``stop()`` cancels it.
    ///
    /// - Parameter body: receives the function that notes the completed part.
    func run(
        _ address: String,
        _ body: @escaping @Sendable (_ note: @escaping @Sendable (Double) -> Void) async throws -> MediaItem
    ) async throws -> MediaItem {
        let (id, task) = state.withLock { state in
            let id = state.next
            state.next += 1
            state.downloads[id] = Progress(address: address)
            let task = Task { [self] in
                try await body { fraction in self.state.withLock { $0.downloads[id]?.fraction = fraction } }
            }
            state.tasks[id] = task
            return (id, task)
        }
        defer {
            state.withLock { state in
                state.downloads[id] = nil
                state.tasks[id] = nil
            }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Cancels all downloads.
    func stop() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }
}
