// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The library of photos and movies: the folder that the environment variable `OBSCURA_LIBRARY` names, or else the
/// folder `Obscura` in the user's folder for pictures.
///
/// The first use opens the library: the caller waits until the files that were added, changed or removed since the last
/// use have been found. From then on, changes by other programs are detected.
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

    /// The library. Always returns the same object.
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

    /// Runs a block that requests changes, and then makes the changes. The block runs immediately, on the calling
    /// thread.
    ///
    /// All requests are checked before the first change. Files must be readable, assets and albums must exist, and new
    /// titles must be unused. If a check fails, nothing is changed. Indexes are only checked when the change is made.
    ///
    /// The changes are made in the order of the requests. If a change fails, for example because the disk is full,
    /// earlier changes are kept, and later ones are not made. After a power failure, each change is complete or absent,
    /// except for ``PHAssetCollectionChangeRequest/insertAssets(_:at:)``.
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

    /// Runs a block that requests changes, and makes them, like ``performChanges(_:completionHandler:)``. Blocks the
    /// calling thread.
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

    /// Adds an observer. It is called after each change of the library by this program or another one, and is
    /// referenced weakly. Blocks while the library is opened.
    public func register(_ observer: any PHPhotoLibraryChangeObserver) { observers.add(observer, of: self) }

    /// Removes an observer. A call to it that has already begun is not interrupted.
    public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) { observers.remove(observer) }
}
