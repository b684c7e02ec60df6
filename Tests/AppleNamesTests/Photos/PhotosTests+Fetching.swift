// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import Photos
import TestSupport
import Testing

extension PhotosTests {
    @Suite("Fetching") struct Fetching {
        private let fixture: PhotosFixture

        init() throws {
            fixture = try PhotosFixture()
        }

        private func options(_ key: String, ascending: Bool, limit: Int = 0) -> PHFetchOptions {
            let options = PHFetchOptions()
            options.sortDescriptors = [NSSortDescriptor(key: key, ascending: ascending)]
            options.fetchLimit = limit
            return options
        }

        @Test("An empty library has no assets") func empty() async throws {
            await fixture.use {
                let result = PHAsset.fetchAssets(with: nil)
                #expect(result.count == 0 && result.firstObject == nil && result.lastObject == nil)
                #expect(PHAsset.fetchAssets(with: .audio, options: nil).count == 0)
            }
        }

        @Test("Files that other programs have put into the folder are fetched at once") func foreignFiles() async throws
        {
            try fixture.foreignPhoto("holidays/1.jpg")
            await fixture.use {
                #expect(identifiers(PHAsset.fetchAssets(with: nil)) == ["holidays/1.jpg"])
            }
        }

        @Test("Assets are sorted by date and by duration") func sorting() async throws {
            for year in [2003, 2001, 2002] { try fixture.foreignPhoto("\(year).jpg", year: year) }
            let movie = URL(fileURLWithPath: try TestMovies.h264())
            try FileManager.default.copyItem(at: movie, to: URL(fileURLWithPath: "\(fixture.path)/movie.mp4"))
            await fixture.use {
                let byDate = ["2001.jpg", "2002.jpg", "2003.jpg"]
                #expect(identifiers(PHAsset.fetchAssets(with: .image, options: nil)) == byDate)
                let ascending = PHAsset.fetchAssets(with: .image, options: options("creationDate", ascending: true))
                #expect(identifiers(ascending) == byDate)
                let descending = options("creationDate", ascending: false, limit: 2)
                #expect(
                    identifiers(PHAsset.fetchAssets(with: .image, options: descending)) == ["2003.jpg", "2002.jpg"])
                let longest = PHAsset.fetchAssets(with: options("duration", ascending: false, limit: 1))
                #expect(identifiers(longest) == ["movie.mp4"])
                let shortest = PHAsset.fetchAssets(with: options("duration", ascending: true))
                #expect(identifiers(shortest).last == "movie.mp4" && shortest.count == 4)
            }
        }

        @Test("An order that is not supported is the usual one") func unknownOrder() async throws {
            for year in [2003, 2001] { try fixture.foreignPhoto("\(year).jpg", year: year) }
            await fixture.use {
                let result = PHAsset.fetchAssets(with: options("burstIdentifier", ascending: false))
                #expect(identifiers(result) == ["2001.jpg", "2003.jpg"])
            }
        }

        @Test("Assets are fetched by identifiers, without those that do not exist") func byIdentifiers() async throws {
            for year in [2001, 2002, 2003] { try fixture.foreignPhoto("\(year).jpg", year: year) }
            await fixture.use {
                let result = PHAsset.fetchAssets(
                    withLocalIdentifiers: ["2003.jpg", "none.jpg", "", "2001.jpg", "../x.jpg"], options: nil)
                #expect(identifiers(result) == ["2001.jpg", "2003.jpg"])
                #expect(PHAsset.fetchAssets(withLocalIdentifiers: [], options: nil).count == 0)
            }
        }

        @Test("A result of several pages has all assets in order, and finds their indexes") func pages() async throws {
            // The file with the pixels is the same; the dates are those of the files.
            try fixture.foreignPhoto("0.jpg")
            let first = "\(fixture.path)/0.jpg"
            for number in 1..<600 {
                try FileManager.default.copyItem(atPath: first, toPath: "\(fixture.path)/\(number).jpg")
            }
            await fixture.use {
                let result = PHAsset.fetchAssets(with: nil)
                #expect(result.count == 600)
                let names = identifiers(result)
                #expect(Set(names) == Set((0..<600).map { "\($0).jpg" }))
                for index in [0, 255, 256, 511, 512, 599] {
                    #expect(result.object(at: index).localIdentifier == names[index])
                    #expect(result.index(of: result[index]) == index)
                }
                #expect(result.firstObject == result[0] && result.lastObject == result[599])
                #expect(result.contains(result[300]))
                #expect(result.index(of: result[5], in: NSRange(location: 6, length: 100)) == NSNotFound)
                #expect(result.objects(at: [2, 300]) == [result[2], result[300]])
                #expect(result.countOfAssets(with: .image) == 600 && result.countOfAssets(with: .video) == 0)
            }
        }

        @Test("An enumeration goes forward, backward or over indexes, and stops") func enumeration() async throws {
            for year in 2001...2004 { try fixture.foreignPhoto("\(year).jpg", year: year) }
            await fixture.use {
                let result = PHAsset.fetchAssets(with: nil)
                var seen: [String] = []
                result.enumerateObjects { asset, index, stop in
                    seen.append("\(index) \(asset.localIdentifier)")
                    if index == 2 { stop.pointee = true }
                }
                #expect(seen == ["0 2001.jpg", "1 2002.jpg", "2 2003.jpg"])
                seen = []
                result.enumerateObjects(options: .reverse) { asset, index, _ in seen.append("\(index)") }
                #expect(seen == ["3", "2", "1", "0"])
                seen = []
                result.enumerateObjects(at: [0, 3], options: []) { asset, _, _ in seen.append(asset.localIdentifier) }
                #expect(seen == ["2001.jpg", "2004.jpg"])
            }
        }

        @Test("A result stays as it is when the library changes") func snapshot() async throws {
            for year in [2001, 2002] { try fixture.foreignPhoto("\(year).jpg", year: year) }
            try await fixture.use {
                let result = PHAsset.fetchAssets(with: nil)
                let unread = PHAsset.fetchAssets(with: nil)
                let first = try #require(result.firstObject)
                try await PHPhotoLibrary.shared().performChanges {
                    PHAssetChangeRequest.deleteAssets([first] as NSArray)
                }
                #expect(identifiers(result) == ["2001.jpg", "2002.jpg"])
                #expect(identifiers(unread) == ["2001.jpg", "2002.jpg"])
                #expect(result[0].pixelWidth == 64 && unread[0].pixelWidth == 0)
                #expect(unread[0].mediaType == .image && unread[0].creationDate == nil)
                #expect(identifiers(PHAsset.fetchAssets(with: nil)) == ["2002.jpg"])
            }
        }

        @Test("Objects are equal by their identifiers") func equality() async throws {
            try fixture.foreignPhoto("1.jpg")
            try await fixture.use {
                let (one, other) = (try asset("1.jpg"), try asset("1.jpg"))
                #expect(one == other && Set([one, other]).count == 1)
            }
        }

        @Test("A damaged photo is an asset without a size") func damaged() async throws {
            try FileManager.default.createDirectory(atPath: fixture.path, withIntermediateDirectories: true)
            try Data("damaged".utf8).write(to: URL(fileURLWithPath: "\(fixture.path)/1.jpg"))
            try await fixture.use {
                let damaged = try asset("1.jpg")
                #expect(damaged.pixelWidth == 0 && damaged.pixelHeight == 0 && damaged.mediaType == .image)
                #expect(damaged.creationDate != nil)
            }
        }

        @Test("The variable OBSCURA_LIBRARY names the folder of the library") func environment() {
            #expect(PhotoStore.path(["OBSCURA_LIBRARY": "/kiosk/photos"]) == "/kiosk/photos")
            #expect(PhotoStore.path(["OBSCURA_LIBRARY": ""]).hasSuffix("/Obscura"))
            #expect(PhotoStore.path([:]).hasSuffix("/Obscura"))
        }

        @Test("The library is one object") func shared() async {
            await fixture.use { #expect(PHPhotoLibrary.shared() === PHPhotoLibrary.shared()) }
        }

        @Test("A folder that exists, or can be created, is authorized; nobody is asked") func authorization()
            async throws
        {
            await fixture.use {
                #expect(PHPhotoLibrary.authorizationStatus() == .authorized)
                #expect(!FileManager.default.fileExists(atPath: fixture.path))
                #expect(await PHPhotoLibrary.requestAuthorization(for: .readWrite) == .authorized)
                let statuses = await withCheckedContinuation { continuation in
                    PHPhotoLibrary.requestAuthorization { first in
                        PHPhotoLibrary.requestAuthorization(for: .addOnly) {
                            continuation.resume(returning: [first, $0])
                        }
                    }
                }
                #expect(statuses == [.authorized, .authorized])
            }
            try await PhotoStore.$current.withValue(PhotoStore(path: "/proc/none/photos")) {
                #expect(PHPhotoLibrary.authorizationStatus(for: .readWrite) == .denied)
                #expect(PHAsset.fetchAssets(with: nil).count == 0)
                let url = try fixture.photo("1.jpg")
                #expect(await photosCode { _ = try await add([url]) } != nil)
            }
        }
    }
}
