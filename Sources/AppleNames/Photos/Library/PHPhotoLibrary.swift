// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The library of photos and movies: the folder that the environment variable `OBSCURA_LIBRARY` names, or else the folder
/// `Obscura` in the user's folder for pictures.
///
/// The library is opened when it is first used. This takes as long as finding the files that were added, changed or
/// removed since the last time; the caller waits for it. Then changes by other programs are noticed.
public class PHPhotoLibrary: NSObject, @unchecked Sendable {  // All properties are constants.
    /// The objects in use. One with observers is in use.
    private struct Reference {
        weak var library: PHPhotoLibrary?
    }

    private static let libraries = Lock<[ObjectIdentifier: Reference]>([:])

    let store: PhotoStore
    let observers: ChangeObservers

    private init(_ store: PhotoStore) {
        self.store = store
        observers = ChangeObservers(store)
    }

    /// The library. It is always the same object.
    public class func shared() -> PHPhotoLibrary {
        let store = PhotoStore.current
        return libraries.withLock { libraries in
            let key = ObjectIdentifier(store)
            if let library = libraries[key]?.library { return library }
            let library = PHPhotoLibrary(store)
            libraries[key] = Reference(library: library)
            return library
        }
    }

    /// Runs a block that requests changes, and makes them. The block runs at once, on the thread of the caller.
    ///
    /// All changes are checked before the first is made: files are read, and assets, albums and titles must exist or be
    /// unused. If a check fails, nothing changes. The changes are then made in the order of the requests, and each is
    /// complete or not made, also after a power failure; but if one fails, for example because the disk is full, those before
    /// it remain.
    ///
    /// - Parameters:
    ///   - changeBlock: creates requests, such as ``PHAssetChangeRequest``.
    ///   - completionHandler: called on an arbitrary queue, with whether all changes were made, or a ``PHPhotosError``.
    @preconcurrency
    public func performChanges(
        _ changeBlock: @escaping () -> Void, completionHandler: (@Sendable (Bool, (any Error)?) -> Void)? = nil
    ) {
        let changes = ChangeRecorder.changes(in: store, changeBlock)
        let store = store
        Task(executorPreference: PhotoStore.executor) {
            var failure: PHPhotosError?
            do throws(ObscuraError) {
                try await ChangeRun.make(changes, in: store)
            } catch {
                failure = PHPhotosError(error, in: store)
            }
            guard let completionHandler else {
                if let failure { PhotoStore.logger.error("performChanges: \(failure.localizedDescription)") }
                return
            }
            let error = failure
            // A handler may block, as those of queues do.
            store.call { completionHandler(error == nil, error) }
        }
    }

    /// Runs a block that requests changes, and makes them, like ``performChanges(_:completionHandler:)``.
    ///
    /// - Throws: ``PHPhotosError``.
    nonisolated(nonsending) public func performChanges(_ changeBlock: @escaping () -> Void) async throws {
        let changes = ChangeRecorder.changes(in: store, changeBlock)
        do throws(ObscuraError) {
            try await ChangeRun.make(changes, in: store)
        } catch {
            throw PHPhotosError(error, in: store)
        }
    }

    /// Runs a block that requests changes, and makes them, like ``performChanges(_:completionHandler:)``. The thread of the
    /// caller waits.
    ///
    /// - Throws: ``PHPhotosError``.
    public func performChangesAndWait(_ changeBlock: @escaping () -> Void) throws {
        let changes = ChangeRecorder.changes(in: store, changeBlock)
        do throws(ObscuraError) {
            let store = store
            try store.blocking { _ throws(ObscuraError) in try await ChangeRun.make(changes, in: store) }
        } catch {
            throw PHPhotosError(error, in: store)
        }
    }

    /// Adds an observer, which is called after each change of the library by this and by other programs. It is not kept
    /// alive. Blocks while the library is opened.
    public func register(_ observer: any PHPhotoLibraryChangeObserver) { observers.add(observer, of: self) }

    /// Removes an observer. A call that has begun may still run.
    public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) { observers.remove(observer) }
}
