// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraLibrary
import Photos
import TestSupport
import Testing

extension PhotosTests {
    @Suite("Changing assets and albums") struct Changing {
        private let fixture: PhotosFixture

        init() throws {
            fixture = try PhotosFixture()
            for year in 2001...2004 { try fixture.foreignPhoto("\(year).jpg", year: year) }
        }

        private func album(_ title: String, _ names: [String] = []) async throws -> PHAssetCollection {
            let assets = PHAsset.fetchAssets(withLocalIdentifiers: names, options: nil)
            var placeholder: PHObjectPlaceholder?
            try await PHPhotoLibrary.shared().performChanges {
                let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
                request.addAssets(assets)
                placeholder = request.placeholderForCreatedAssetCollection
            }
            return try collection(try #require(placeholder?.localIdentifier))
        }

        private func collection(_ identifier: String) throws -> PHAssetCollection {
            try #require(
                PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifier], options: nil).firstObject)
        }

        private func contents(_ album: PHAssetCollection) -> [String] {
            identifiers(PHAsset.fetchAssets(in: album, options: nil))
        }

        private func titles(_ result: PHFetchResult<PHAssetCollection>) -> [String?] {
            (0..<result.count).map { result[$0].localizedTitle }
        }

        @Test("A favorite is marked, and unmarked") func favorite() async throws {
            try await fixture.use {
                for isFavorite in [true, false] {
                    let asset = try asset("2001.jpg")
                    try await PHPhotoLibrary.shared().performChanges {
                        let request = PHAssetChangeRequest(for: asset)
                        #expect(request.isFavorite == !isFavorite)
                        request.isFavorite = isFavorite
                    }
                    #expect(try AppleNamesTests.asset("2001.jpg").isFavorite == isFavorite)
                    #expect(try await fixture.library().item(at: "2001.jpg").isFavorite == isFavorite)
                    let favorites = PHAssetCollection.fetchAssetCollections(
                        with: .smartAlbum, subtype: .smartAlbumFavorites, options: nil)
                    #expect(contents(try #require(favorites.firstObject)) == (isFavorite ? ["2001.jpg"] : []))
                }
            }
        }

        @Test("Deleted assets go to the trash of the library, and can be restored") func deletion() async throws {
            try await fixture.use {
                let assets = [try asset("2001.jpg"), try asset("2003.jpg")]
                try await PHPhotoLibrary.shared().performChanges {
                    PHAssetChangeRequest.deleteAssets(assets as any NSFastEnumeration)
                }
                #expect(identifiers(PHAsset.fetchAssets(with: nil)) == ["2002.jpg", "2004.jpg"])
                let trashed = try await fixture.library().trashedItems()
                #expect(Set(trashed.map(\.path)) == ["2001.jpg", "2003.jpg"])
                #expect(!fixture.exists("2001.jpg"))
                try await fixture.library().restore(try #require(trashed.first).id)
                let count = await becomes { PHAsset.fetchAssets(with: nil).count == 3 }
                #expect(count)
            }
        }

        @Test("All assets of a fetch result are deleted") func deleteAll() async throws {
            try await fixture.use {
                try await PHPhotoLibrary.shared().performChanges {
                    PHAssetChangeRequest.deleteAssets(PHAsset.fetchAssets(with: .image, options: nil))
                }
                #expect(PHAsset.fetchAssets(with: nil).count == 0)
            }
        }

        @Test("A new photo is added to an album in the block that creates it, in any order of the requests")
        func newPhotoInAlbum() async throws {
            try await fixture.use {
                let url = try fixture.photo("new.jpg")
                var album: PHObjectPlaceholder?
                try await PHPhotoLibrary.shared().performChanges {
                    let albumRequest = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(
                        withTitle: "New")
                    album = albumRequest.placeholderForCreatedAssetCollection
                    let request = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
                    if let placeholder = request?.placeholderForCreatedAsset {
                        albumRequest.addAssets([placeholder] as NSArray)
                    }
                }
                #expect(contents(try collection(try #require(album?.localIdentifier))) == ["2020/05/new.jpg"])
            }
        }

        @Test("An album has a title, a number of assets, and their order") func album() async throws {
            try await fixture.use {
                let album = try await album("Holidays", ["2003.jpg", "2001.jpg"])
                #expect(album.localizedTitle == "Holidays" && album.estimatedAssetCount == 2)
                #expect(album.assetCollectionType == .album && album.assetCollectionSubtype == .albumRegular)
                #expect(contents(album) == ["2001.jpg", "2003.jpg"])
                let (second, fourth) = (try asset("2002.jpg"), try asset("2004.jpg"))
                try await PHPhotoLibrary.shared().performChanges {
                    PHAssetCollectionChangeRequest(for: album)?.insertAssets([second, fourth] as NSArray, at: [0, 2])
                }
                #expect(contents(album) == ["2002.jpg", "2001.jpg", "2004.jpg", "2003.jpg"])
                try await PHPhotoLibrary.shared().performChanges {
                    PHAssetCollectionChangeRequest(for: album)?.moveAssets(at: [0, 2], to: 1)
                }
                #expect(contents(album) == ["2001.jpg", "2002.jpg", "2004.jpg", "2003.jpg"])
                try await PHPhotoLibrary.shared().performChanges {
                    let request = PHAssetCollectionChangeRequest(for: album)
                    request?.removeAssets([second] as NSArray)
                    request?.removeAssets(at: [0])
                }
                #expect(contents(album) == ["2004.jpg", "2003.jpg"])
                #expect(PHAsset.fetchAssets(with: nil).count == 4)
                let options = PHFetchOptions()
                options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
                #expect(identifiers(PHAsset.fetchAssets(in: album, options: options)) == ["2003.jpg", "2004.jpg"])
            }
        }

        @Test("Albums are renamed, sorted by title, and deleted without their assets") func albums() async throws {
            try await fixture.use {
                let (first, second) = (try await album("b", ["2001.jpg"]), try await album("a"))
                let all = { PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: $0) }
                #expect(titles(all(nil)) == ["a", "b"])
                let options = PHFetchOptions()
                options.sortDescriptors = [NSSortDescriptor(key: "localizedTitle", ascending: false)]
                #expect(titles(all(options)) == ["b", "a"])
                try await PHPhotoLibrary.shared().performChanges {
                    PHAssetCollectionChangeRequest(for: second)?.title = "c"
                }
                #expect(titles(all(nil)) == ["b", "c"])
                #expect(PHCollection.fetchTopLevelUserCollections(with: nil).firstObject?.localizedTitle == "b")
                let containing = PHAssetCollection.fetchAssetCollectionsContaining(
                    try asset("2001.jpg"), with: .album, options: nil)
                #expect(titles(containing) == ["b"])
                try await PHPhotoLibrary.shared().performChanges {
                    PHAssetCollectionChangeRequest.deleteAssetCollections([first] as NSArray)
                }
                #expect(titles(all(nil)) == ["c"])
                #expect(PHAsset.fetchAssets(with: nil).count == 4)
            }
        }

        @Test("The lists of all assets with a property have Apple's names, and cannot be changed") func lists()
            async throws
        {
            try await fixture.use {
                let lists = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .any, options: nil)
                #expect(titles(lists) == ["Recents", "Favorites", "Videos"])
                let recents = try #require(
                    PHAssetCollection.fetchAssetCollections(
                        with: .smartAlbum, subtype: .smartAlbumUserLibrary, options: nil
                    ).firstObject)
                #expect(recents.estimatedAssetCount == 4 && contents(recents).count == 4)
                #expect(PHAssetCollectionChangeRequest(for: recents) == nil)
            }
        }

        @Test("If one change is impossible, none is made", arguments: 0..<7) func allOrNone(_ number: Int) async throws
        {
            try await fixture.use {
                let album = try await album("present", ["2001.jpg"])
                let (asset, deleted) = (try asset("2001.jpg"), try asset("2002.jpg"))
                let url = try fixture.photo("new.jpg")
                try await PHPhotoLibrary.shared().performChanges {
                    PHAssetChangeRequest.deleteAssets([deleted] as NSArray)
                }
                let code = await photosCode {
                    try await PHPhotoLibrary.shared().performChanges {
                        PHAssetChangeRequest(for: asset).isFavorite = true
                        PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
                        typealias Request = PHAssetCollectionChangeRequest
                        switch number {
                        case 0: PHAssetChangeRequest(for: deleted).isFavorite = true
                        case 1: PHAssetChangeRequest.deleteAssets([asset, deleted] as NSArray)
                        case 2: Request.creationRequestForAssetCollection(withTitle: "Present")
                        case 3: Request.creationRequestForAssetCollection(withTitle: "  ")
                        case 4: Request(for: album)?.addAssets([deleted] as NSArray)
                        case 5:
                            Request.creationRequestForAssetCollection(withTitle: "new")
                            Request.creationRequestForAssetCollection(withTitle: "NEW")
                        default:
                            Request.deleteAssetCollections([album] as NSArray)
                            Request(for: album)?.title = "other"
                        }
                    }
                }
                #expect(code == ([0, 1, 4, 6].contains(number) ? .identifierNotFound : .changeNotSupported))
                #expect(identifiers(PHAsset.fetchAssets(with: nil)) == ["2001.jpg", "2003.jpg", "2004.jpg"])
                #expect(try AppleNamesTests.asset("2001.jpg").isFavorite == false)
                #expect(contents(album) == ["2001.jpg"])
                #expect(PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil).count == 1)
            }
        }

        @Test("Indexes outside of an album fail, and the changes before them remain") func wrongIndexes() async throws {
            try await fixture.use {
                let album = try await album("present", ["2001.jpg"])
                let second = try asset("2002.jpg")
                let bodies: [(PHAssetCollectionChangeRequest?) -> Void] = [
                    { $0?.removeAssets(at: [1]) }, { $0?.moveAssets(at: [3], to: 0) },
                    { $0?.moveAssets(at: [0], to: 1) },
                    { $0?.insertAssets([second] as NSArray, at: [0, 1]) },
                    { $0?.insertAssets([second] as NSArray, at: [2]) },
                ]
                for body in bodies {
                    let code = await photosCode {
                        try await PHPhotoLibrary.shared().performChanges {
                            PHAssetChangeRequest(for: second).isFavorite = true
                            body(PHAssetCollectionChangeRequest(for: album))
                        }
                    }
                    #expect(code == .changeNotSupported)
                    #expect(contents(album) == ["2001.jpg"])
                    #expect(try asset("2002.jpg").isFavorite)
                }
            }
        }

        @Test("Changes are made in the order in which they were requested") func order() async throws {
            try await fixture.use {
                let album = try await album("0")
                for number in 1..<20 {
                    PHPhotoLibrary.shared().performChanges {
                        PHAssetCollectionChangeRequest(for: album)?.title = "\(number)"
                    } completionHandler: { isDone, _ in
                        #expect(isDone)
                    }
                }
                await withCheckedContinuation { continuation in
                    PHPhotoLibrary.shared().performChanges {
                        PHAssetCollectionChangeRequest(for: album)?.title = "20"
                    } completionHandler: { _, _ in
                        continuation.resume()
                    }
                }
                #expect(try collection(album.localIdentifier).localizedTitle == "20")
            }
        }
    }
}
