// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// The observers of a library, and the task that calls them.
final class ChangeObservers: Sendable {
    /// `@unchecked Sendable` is safe because the reference is only used on the queue of the observers, as the protocol
    /// says.
    private struct Reference: @unchecked Sendable {
        weak var observer: (any PHPhotoLibraryChangeObserver)?
    }

    private struct State: Sendable {
        var references: [Reference] = []
        var task: Task<Void, Never>?
    }

    private let store: PhotoStore
    private let state = Lock(State())
    private let queue = DispatchQueue(label: "obscura.photos.changes")

    init(_ store: PhotoStore) {
        self.store = store
    }

    /// - Parameter owner: kept alive while there are observers.
    func add(_ observer: any PHPhotoLibraryChangeObserver, of owner: any Sendable & AnyObject) {
        let reference = Reference(observer: observer)
        state.withLock { state in
            state.references.removeAll { $0.observer == nil || $0.observer === observer }
            state.references.append(reference)
        }
        do throws(ObscuraError) {
            // The count is read before this returns, so that no later change is missed.
            let (library, count) = try store.blocking { library throws(ObscuraError) in
                (library, library.changeCount)
            }
            state.withLock { state in
                if state.task == nil { state.task = observe(library, after: count, owner) }
            }
        } catch {
            PhotoStore.logger.error("observers of changes will not be called: \(error)")
        }
    }

    func remove(_ observer: any PHPhotoLibraryChangeObserver) {
        state.withLock { state in
            state.references.removeAll { $0.observer == nil || $0.observer === observer }
            guard state.references.isEmpty else { return }
            state.task?.cancel()
            state.task = nil
        }
    }

    private func observe(
        _ library: MediaLibrary, after count: UInt64, _ owner: any Sendable & AnyObject
    ) -> Task<Void, Never> {
        Task.detached(executorPreference: PhotoStore.executor) { [self] in
            var seen = count
            while true {
                await library.change(after: seen)
                guard !Task.isCancelled else { break }
                seen = library.changeCount
                notify()
            }
            withExtendedLifetime(owner) {}
        }
    }

    private func notify() {
        store.call(on: queue) { [self] in
            let change = PHChange()
            for reference in state.withLock({ $0.references }) { reference.observer?.photoLibraryDidChange(change) }
        }
    }
}
