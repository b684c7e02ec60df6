// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// The changes that one block requests.
final class ChangeRecorder: Sendable {
    /// The recorder of the block that runs on this thread.
    @TaskLocal private static var current: ChangeRecorder?

    private let requests = Lock<[@Sendable () -> LibraryChange]?>([])
    private let store: PhotoStore

    private init(_ store: PhotoStore) {
        self.store = store
    }

    /// The library of the block that runs on this thread.
    static var store: PhotoStore { current?.store ?? PhotoStore.current }

    /// Calls a block, and returns the changes that it requests.
    static func changes(in store: PhotoStore, _ block: () -> Void) -> [LibraryChange] {
        let recorder = ChangeRecorder(store)
        $current.withValue(recorder) { block() }
        // A task that the block has created may outlive it.
        let requests = recorder.requests.withLock { requests in
            defer { requests = nil }
            return requests ?? []
        }
        return requests.map { $0() }
    }

    /// Adds a change to the block that runs on this thread. Without a block, it has no effect, and an error is in the log.
    ///
    /// - Parameter change: called after the block.
    static func add(_ change: @escaping @autoclosure @Sendable () -> LibraryChange) {
        let isOpen = current?.requests.withLock { requests in
            requests?.append(change)
            return requests != nil
        }
        if isOpen != true { PhotoStore.logger.error("ignored a change outside of a block of performChanges") }
    }
}
