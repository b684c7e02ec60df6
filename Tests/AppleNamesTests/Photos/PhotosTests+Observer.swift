// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraLibrary
import Photos
import TestSupport
import Testing

extension PhotosTests {
    @Suite("Observing changes") struct Observer {
        private let fixture: PhotosFixture

        init() throws {
            fixture = try PhotosFixture()
            for year in 2001...2003 { try fixture.foreignPhoto("\(year).jpg", year: year) }
        }

        /// Follows a fetch result, as the list of an app does.
        private final class Observer: NSObject, PHPhotoLibraryChangeObserver {
            struct Seen: Sendable {
                var result: PHFetchResult<PHAsset>
                var removed: [String] = []
                var inserted: [String] = []
                var changed: [String] = []
            }

            private let state: Lock<Seen>

            init(_ result: PHFetchResult<PHAsset>) {
                state = Lock(Seen(result: result))
            }

            var seen: Seen { state.withLock { $0 } }

            func photoLibraryDidChange(_ changeInstance: PHChange) {
                let before = state.withLock { $0.result }
                guard let details = changeInstance.changeDetails(for: before) else { return }
                state.withLock { state in
                    state.result = details.fetchResultAfterChanges
                    state.removed += details.removedObjects.map(\.localIdentifier)
                    state.inserted += details.insertedObjects.map(\.localIdentifier)
                    state.changed += details.changedObjects.map(\.localIdentifier)
                }
            }
        }

        @Test("An observer sees new, changed and deleted assets of this program") func ownChanges() async throws {
            try await fixture.use {
                let observer = Observer(PHAsset.fetchAssets(with: nil))
                PHPhotoLibrary.shared().register(observer)
                let (first, second) = (try asset("2001.jpg"), try asset("2002.jpg"))
                let url = try fixture.photo("new.jpg")
                try await PHPhotoLibrary.shared().performChanges {
                    PHAssetChangeRequest.deleteAssets([first] as NSArray)
                    PHAssetChangeRequest(for: second).isFavorite = true
                    PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
                }
                let names = ["2002.jpg", "2003.jpg", "2020/05/new.jpg"]
                #expect(await becomes { identifiers(observer.seen.result) == names && !observer.seen.changed.isEmpty })
                #expect(observer.seen.removed == ["2001.jpg"])
                #expect(observer.seen.inserted == ["2020/05/new.jpg"])
                #expect(observer.seen.changed == ["2002.jpg"])
                #expect(observer.seen.result[0].isFavorite)
                PHPhotoLibrary.shared().unregisterChangeObserver(observer)
            }
        }

        @Test("An observer sees the files that another program puts into the folder") func foreignFiles() async throws {
            try await fixture.use {
                let observer = Observer(PHAsset.fetchAssets(with: nil))
                PHPhotoLibrary.shared().register(observer)
                try fixture.foreignPhoto("more/2010.jpg", year: 2010)
                #expect(await becomes { observer.seen.inserted == ["more/2010.jpg"] })
                try FileManager.default.removeItem(atPath: "\(fixture.path)/2002.jpg")
                #expect(await becomes { observer.seen.removed == ["2002.jpg"] })
                #expect(identifiers(observer.seen.result) == ["2001.jpg", "2003.jpg", "more/2010.jpg"])
                PHPhotoLibrary.shared().unregisterChangeObserver(observer)
            }
        }

        @Test("An observer that was removed, or released, is not called") func removal() async throws {
            try await fixture.use {
                let (first, second) = (
                    Observer(PHAsset.fetchAssets(with: nil)), Observer(PHAsset.fetchAssets(with: nil))
                )
                let library = PHPhotoLibrary.shared()
                library.register(first)
                library.register(second)
                library.register(second)
                weak var released: Observer?
                do {
                    let third = Observer(PHAsset.fetchAssets(with: nil))
                    library.register(third)
                    released = third
                }
                #expect(released == nil)
                library.unregisterChangeObserver(first)
                try await library.performChanges {
                    PHAssetChangeRequest.deleteAssets(PHAsset.fetchAssets(with: nil))
                }
                #expect(await becomes { second.seen.removed.count == 3 })
                #expect(first.seen.removed.isEmpty)
                library.unregisterChangeObserver(second)
            }
        }

        @Test("The differences of an asset and of an album are those since they were fetched") func objects()
            async throws
        {
            try await fixture.use {
                let library = PHPhotoLibrary.shared()
                try await library.performChanges {
                    PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "a")
                }
                let album = try #require(
                    PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil).firstObject)
                let (first, second) = (try asset("2001.jpg"), try asset("2002.jpg"))
                let change = try await observedChange {
                    PHAssetChangeRequest(for: first).isFavorite = true
                    PHAssetChangeRequest.deleteAssets([second] as NSArray)
                    PHAssetCollectionChangeRequest(for: album)?.title = "b"
                }
                let changed = try #require(change.changeDetails(for: first))
                #expect(changed.objectAfterChanges?.isFavorite == true && changed.objectBeforeChanges === first)
                #expect(!changed.objectWasDeleted && !changed.assetContentChanged)
                let deleted = try #require(change.changeDetails(for: second))
                #expect(deleted.objectWasDeleted && deleted.objectAfterChanges == nil)
                #expect(change.changeDetails(for: album)?.objectAfterChanges?.localizedTitle == "b")
                #expect(change.changeDetails(for: try asset("2003.jpg")) == nil)
                #expect(change.changeDetails(for: PHAsset.fetchAssets(with: nil)) == nil)
            }
        }

        /// Makes changes, and returns the change that an observer receives.
        private func observedChange(_ block: @escaping () -> Void) async throws -> PHChange {
            final class Receiver: NSObject, PHPhotoLibraryChangeObserver {
                let change = Lock<PHChange?>(nil)
                func photoLibraryDidChange(_ changeInstance: PHChange) { change.withLock { $0 = changeInstance } }
            }
            let receiver = Receiver()
            PHPhotoLibrary.shared().register(receiver)
            try await PHPhotoLibrary.shared().performChanges(block)
            _ = await becomes { receiver.change.withLock { $0 } != nil }
            PHPhotoLibrary.shared().unregisterChangeObserver(receiver)
            return try #require(receiver.change.withLock { $0 })
        }

        @Test("Removals, insertions and moves make the earlier list the later one", arguments: 0..<8)
        func differences(_ seed: UInt64) async throws {
            try await fixture.use {
                var dice = Dice(seed: seed)
                for number in 0..<12 {
                    try FileManager.default.copyItem(
                        atPath: "\(fixture.path)/2001.jpg", toPath: "\(fixture.path)/\(number).jpg")
                }
                let all = PHAsset.fetchAssets(with: nil).objects(at: IndexSet(integersIn: 0..<15)).shuffled(
                    using: &dice)
                var placeholder: PHObjectPlaceholder?
                try await PHPhotoLibrary.shared().performChanges {
                    let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "a")
                    request.addAssets(all.prefix(9).map(\.self) as NSArray)
                    placeholder = request.placeholderForCreatedAssetCollection
                }
                let identifier = try #require(placeholder?.localIdentifier)
                let albums = PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifier], options: nil)
                let album = try #require(albums.firstObject)
                let before = PHAsset.fetchAssets(in: album, options: nil)
                let moved = IndexSet((0..<8).filter { _ in Bool.random(using: &dice) })
                let removed = IndexSet((0..<9).filter { _ in Int.random(in: 0..<3, using: &dice) == 0 })
                let change = try await observedChange {
                    let request = PHAssetCollectionChangeRequest(for: album)
                    request?.moveAssets(at: moved, to: Int.random(in: 0...(9 - moved.count), using: &dice))
                    request?.removeAssets(at: removed)
                    request?.insertAssets(all.suffix(2).map(\.self) as NSArray, at: [0, 2])
                }
                let details = try #require(change.changeDetails(for: before))
                var list = identifiers(before)
                for index in (details.removedIndexes ?? []).reversed() { list.remove(at: index) }
                let after = identifiers(details.fetchResultAfterChanges)
                for index in details.insertedIndexes ?? [] { list.insert(after[index], at: index) }
                var result = list
                details.enumerateMoves { from, to in result[to] = list[from] }
                #expect(result == after)
                #expect(details.hasMoves == (list != after))
                #expect(details.insertedObjects.count == 2 && details.removedObjects.count == removed.count)
            }
        }

        @Test("Without incremental details, there are the two results only") func withoutDetails() async throws {
            try await fixture.use {
                let options = PHFetchOptions()
                options.wantsIncrementalChangeDetails = false
                let before = PHAsset.fetchAssets(with: options)
                let first = try asset("2001.jpg")
                let change = try await observedChange { PHAssetChangeRequest.deleteAssets([first] as NSArray) }
                let details = try #require(change.changeDetails(for: before))
                #expect(!details.hasIncrementalChanges && !details.hasMoves)
                #expect(
                    details.removedIndexes == nil && details.insertedIndexes == nil && details.changedIndexes == nil)
                #expect(details.fetchResultAfterChanges.count == 2 && details.fetchResultBeforeChanges === before)
            }
        }

        @Test("A change of another process of the same library is seen") func otherProcess() async throws {
            try await fixture.use {
                let observer = Observer(PHAsset.fetchAssets(with: nil))
                PHPhotoLibrary.shared().register(observer)
                let first = try asset("2001.jpg")
                let other = fixture.otherProcess
                try await PhotoStore.$current.withValue(other) {
                    try await PHPhotoLibrary.shared().performChanges {
                        PHAssetChangeRequest(for: first).isFavorite = true
                    }
                }
                #expect(await becomes { observer.seen.changed.contains("2001.jpg") })
                #expect(try asset("2001.jpg").isFavorite)
                PHPhotoLibrary.shared().unregisterChangeObserver(observer)
            }
        }
    }
}
