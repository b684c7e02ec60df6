// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraImaging
import ObscuraLibrary
import ObscuraMedia
import Photos
import TestSupport
import Testing
import UIKit
import UniformTypeIdentifiers

extension PhotosTests {
    @Suite("Pictures and files of assets") struct Image {
        private let fixture: PhotosFixture
        private let manager = PHImageManager()

        init() throws {
            fixture = try PhotosFixture()
        }

        /// A result of a request, with the information about it.
        private struct Answer: Sendable {
            var image: UIImage?
            var isCancelled = false
            var code: PHPhotosError.Code?
            var id: PHImageRequestID?

            init(_ image: UIImage?, _ info: [AnyHashable: Any]?) {
                self.image = image
                isCancelled = info?[PHImageCancelledKey] as? Bool ?? false
                code = (info?[PHImageErrorKey] as? PHPhotosError)?.code
                id = (info?[PHImageResultRequestIDKey] as? NSNumber)?.int32Value
            }
        }

        /// Makes a synchronous request, as apps do in a list.
        private func request(
            _ asset: PHAsset, _ size: CGSize, _ mode: PHImageContentMode = .aspectFit,
            _ change: (PHImageRequestOptions) -> Void = { _ in }
        ) -> Answer? {
            let options = PHImageRequestOptions()
            options.isSynchronous = true
            change(options)
            let answer = Lock<Answer?>(nil)
            manager.requestImage(for: asset, targetSize: size, contentMode: mode, options: options) { image, info in
                answer.withLock { $0 = Answer(image, info) }
            }
            return answer.withLock { $0 }
        }

        private func size(_ answer: Answer?) -> CGSize? { answer?.image?.size }

        private func photo(_ name: String = "1.jpg", orientation: UIImage.Orientation = .up) async throws -> PHAsset {
            let url = try fixture.photo(name, width: 640, height: 320, orientation: orientation)
            return try asset(try #require(await add([url]).first))
        }

        @Test("A picture fits into the target size, or covers it, and is never enlarged") func targetSizes()
            async throws
        {
            try await fixture.use {
                let photo = try await photo()
                let target = CGSize(width: 100, height: 100)
                #expect(size(request(photo, target)) == CGSize(width: 100, height: 50))
                #expect(size(request(photo, target, .aspectFill)) == CGSize(width: 200, height: 100))
                #expect(size(request(photo, target, .default)) == CGSize(width: 100, height: 50))
                let own = CGSize(width: 640, height: 320)
                #expect(size(request(photo, CGSize(width: 5000, height: 5000))) == own)
                #expect(size(request(photo, PHImageManagerMaximumSize)) == own)
                #expect(size(request(photo, target) { $0.resizeMode = .none }) == own)
                for mode in [PHImageRequestOptionsResizeMode.fast, .exact] {
                    #expect(size(request(photo, target) { $0.resizeMode = mode }) == CGSize(width: 100, height: 50))
                }
                for wrong in [CGSize.zero, CGSize(width: -5, height: 5), CGSize(width: Double.nan, height: 5)] {
                    #expect(size(request(photo, wrong)) == own)
                }
                let tiny = CGSize(width: 1, height: 0.001)
                #expect(size(request(photo, tiny)) == CGSize(width: 1, height: 1))
            }
        }

        @Test("A picture is upright") func upright() async throws {
            try await fixture.use {
                let photo = try await photo(orientation: .right)
                #expect((photo.pixelWidth, photo.pixelHeight) == (320, 640))
                let image = try #require(request(photo, CGSize(width: 100, height: 100))?.image)
                #expect(image.size == CGSize(width: 50, height: 100) && image.imageOrientation == .up)
                let colors = try #require(image.cgImage).picture.colors
                // Turned by a quarter clockwise, the lower left quarter is on top.
                #expect(colors[4][4].isNear(.blue, 16) && colors[4][45].isNear(.red, 16))
                #expect(colors[95][4].isNear(.white, 16) && colors[95][45].isNear(.green, 16))
            }
        }

        @Test("A photo with edits has them, unless the original is requested") func edits() async throws {
            try await fixture.use {
                let original = try await photo()
                try await fixture.library().setRecipe(StillRecipe([.rotate(.right)]), of: original.localIdentifier)
                let isSeen = try await becomes { try asset(original.localIdentifier).hasAdjustments }
                #expect(isSeen)
                let edited = try asset(original.localIdentifier)
                #expect((edited.pixelWidth, edited.pixelHeight) == (320, 640))
                #expect(size(request(edited, PHImageManagerMaximumSize)) == CGSize(width: 320, height: 640))
                for version in [PHImageRequestOptionsVersion.original, .unadjusted] {
                    let answer = request(edited, PHImageManagerMaximumSize) { $0.version = version }
                    #expect(size(answer) == CGSize(width: 640, height: 320))
                }
                let file = try Data(contentsOf: URL(fileURLWithPath: "\(fixture.path)/\(edited.localIdentifier)"))
                #expect(await data(edited, .original)?.data == file)
                let current = try #require(await data(edited, .current))
                #expect(current.orientation == .up && current.type == UTType.jpeg.identifier)
                #expect(UIImage(data: try #require(current.data))?.size == CGSize(width: 320, height: 640))
            }
        }

        @Test("A movie has its first frame as a picture, and no image data") func movie() async throws {
            try await fixture.use {
                let url = URL(fileURLWithPath: try TestMovies.h264())
                try await PHPhotoLibrary.shared().performChanges {
                    PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: url)
                }
                let movie = try #require(PHAsset.fetchAssets(with: .video, options: nil).firstObject)
                #expect(size(request(movie, CGSize(width: 80, height: 80))) == CGSize(width: 80, height: 45))
                let answer = try #require(await data(movie, .current))
                #expect(answer.data == nil && answer.code == .requestNotSupportedForAsset)
            }
        }

        private struct DataAnswer: Sendable {
            var data: Data?
            var type: String?
            var orientation: CGImagePropertyOrientation
            var code: PHPhotosError.Code?
        }

        private func data(_ asset: PHAsset, _ version: PHImageRequestOptionsVersion) async -> DataAnswer? {
            let options = PHImageRequestOptions()
            options.version = version
            return await withCheckedContinuation { continuation in
                manager.requestImageDataAndOrientation(for: asset, options: options) { data, type, orientation, info in
                    continuation.resume(
                        returning: DataAnswer(
                            data: data, type: type, orientation: orientation,
                            code: (info?[PHImageErrorKey] as? PHPhotosError)?.code))
                }
            }
        }

        @Test("Image data is the file, with its type and orientation") func imageData() async throws {
            try await fixture.use {
                let turned = try await photo(orientation: .right)
                let answer = try #require(await data(turned, .current))
                #expect(
                    answer.data
                        == (try Data(contentsOf: URL(fileURLWithPath: "\(fixture.path)/\(turned.localIdentifier)")))
                )
                #expect(answer.type == "public.jpeg" && answer.orientation == .right)
                let png = try #require(await data(try await photo("1.png"), .current))
                #expect(png.type == "public.png" && png.orientation == .up)
            }
        }

        @Test("An asynchronous request calls its handler once, with the number of the request") func asynchronous()
            async throws
        {
            try await fixture.use {
                let photo = try await photo()
                let answers = Lock<[Answer]>([])
                let id = manager.requestImage(
                    for: photo, targetSize: CGSize(width: 64, height: 64), contentMode: .aspectFit, options: nil
                ) { image, info in answers.withLock { $0.append(Answer(image, info)) } }
                #expect(id != PHInvalidImageRequestID)
                #expect(await becomes { !answers.withLock { $0.isEmpty } })
                let answer = try #require(answers.withLock { $0.first })
                #expect(answer.id == id && size(answer) == CGSize(width: 64, height: 32) && answer.code == nil)
                // One that has ended, and one that there never was.
                manager.cancelImageRequest(id)
                manager.cancelImageRequest(PHInvalidImageRequestID)
                #expect(answers.withLock { $0.count } == 1)
            }
        }

        @Test("The handler of a request from the main queue is called there") @MainActor func mainQueue() async throws {
            let key = DispatchSpecificKey<Bool>()
            DispatchQueue.main.setSpecific(key: key, value: true)
            defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
            try await fixture.use {
                let photo = try await photo()
                let isMain = await withCheckedContinuation { continuation in
                    manager.requestImage(
                        for: photo, targetSize: PHImageManagerMaximumSize, contentMode: .aspectFit, options: nil
                    ) { _, _ in continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true) }
                }
                #expect(isMain)
            }
        }

        @Test("Each cancelled request calls its handler once, with a picture or as cancelled") func cancellation()
            async throws
        {
            try await fixture.use {
                let photo = try await photo()
                let answers = Lock<[Answer]>([])
                for _ in 0..<20 {
                    let id = manager.requestImage(
                        for: photo, targetSize: PHImageManagerMaximumSize, contentMode: .aspectFit, options: nil
                    ) { image, info in answers.withLock { $0.append(Answer(image, info)) } }
                    manager.cancelImageRequest(id)
                }
                #expect(await becomes { answers.withLock { $0.count } == 20 })
                #expect(answers.withLock { $0.allSatisfy { ($0.image == nil) == $0.isCancelled && $0.code == nil } })
                #expect(Set(answers.withLock { $0.compactMap(\.id) }).count == 20)
            }
        }

        @Test("A damaged and a deleted file give an error instead of a picture") func badFiles() async throws {
            try await fixture.use {
                let photo = try await photo()
                let url = URL(fileURLWithPath: "\(fixture.path)/\(photo.localIdentifier)")
                let file = try Data(contentsOf: url)
                try Data("damaged".utf8).write(to: url)
                #expect(request(photo, PHImageManagerMaximumSize)?.code == .invalidResource)
                #expect(await data(photo, .current)?.code == .invalidResource)
                try file.write(to: url)
                #expect(request(photo, PHImageManagerMaximumSize)?.image != nil)
                try FileManager.default.removeItem(at: url)
                let answer = try #require(request(photo, PHImageManagerMaximumSize))
                #expect(answer.image == nil && answer.code == .identifierNotFound)
                #expect(await data(photo, .current)?.code == .identifierNotFound)
                #expect(photo.modificationDate == nil)
            }
        }

        @Test("The file of an asset is copied, and does not replace another") func resources() async throws {
            try await fixture.use {
                let photo = try await photo()
                let resource = try #require(PHAssetResource.assetResources(for: photo).first)
                #expect(resource.type == .photo && resource.originalFilename == "1.jpg")
                #expect(resource.uniformTypeIdentifier == "public.jpeg")
                #expect(resource.assetLocalIdentifier == photo.localIdentifier)
                let copy = fixture.folder.url.appendingPathComponent("copy.jpg")
                let resources = PHAssetResourceManager.default()
                try await resources.writeData(for: resource, toFile: copy, options: nil)
                let file = try Data(contentsOf: URL(fileURLWithPath: "\(fixture.path)/\(photo.localIdentifier)"))
                #expect(try Data(contentsOf: copy) == file)
                #expect(
                    await photosCode { try await resources.writeData(for: resource, toFile: copy, options: nil) }
                        == .changeNotSupported)
                let error = await withCheckedContinuation { continuation in
                    let other = fixture.folder.url.appendingPathComponent("none/copy.jpg")
                    resources.writeData(for: resource, toFile: other, options: PHAssetResourceRequestOptions()) {
                        continuation.resume(returning: $0)
                    }
                }
                #expect(error is PHPhotosError)
            }
        }

        @Test("Options are copied") func options() throws {
            let options = PHImageRequestOptions()
            options.version = .original
            options.deliveryMode = .fastFormat
            options.resizeMode = .exact
            options.isSynchronous = true
            options.isNetworkAccessAllowed = true
            let copy = try #require(options.copy() as? PHImageRequestOptions)
            #expect(copy !== options && copy.version == .original && copy.deliveryMode == .fastFormat)
            #expect(copy.resizeMode == .exact && copy.isSynchronous && copy.isNetworkAccessAllowed)
            #expect(PHImageRequestOptions().resizeMode == .fast && PHImageRequestOptions().version == .current)
        }
    }
}
