// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraLibrary
import ObscuraMedia
import Photos
import TestSupport
import Testing
import UIKit
import UniformTypeIdentifiers

extension PhotosTests {
    @Suite("Creating assets") struct Creation {
        private let fixture: PhotosFixture

        init() throws {
            fixture = try PhotosFixture()
        }

        /// An image of 32 by 64 pixels, stored lying.
        private func turnedImage() throws -> UIImage {
            UIImage(cgImage: CGImage(try .quarters(64, 32)), scale: 1, orientation: .right)
        }

        @Test("An image is saved as a JPEG file, and fetched by the identifier of its placeholder") func image()
            async throws
        {
            try await fixture.use {
                let image = try turnedImage()
                var placeholder: PHObjectPlaceholder?
                try await PHPhotoLibrary.shared().performChanges {
                    placeholder = PHAssetChangeRequest.creationRequestForAsset(from: image).placeholderForCreatedAsset
                }
                let identifier = try #require(placeholder?.localIdentifier)
                let saved = try asset(identifier)
                #expect(saved.localIdentifier == identifier && identifier.hasSuffix(".jpg"))
                #expect(saved.mediaType == .image && saved.duration == 0)
                #expect((saved.pixelWidth, saved.pixelHeight) == (32, 64))
                #expect(!saved.isFavorite && !saved.hasAdjustments)
                let age = Date().timeIntervalSince(try #require(saved.creationDate))
                #expect((0..<600).contains(age))
                #expect(saved.modificationDate != nil)
                #expect(fixture.exists(identifier))
            }
        }

        @Test("The completion handler is called after the change") func completionHandler() async throws {
            try await fixture.use {
                let url = try fixture.photo("1.jpg")
                let (isDone, error) = await withCheckedContinuation { continuation in
                    PHPhotoLibrary.shared().performChanges {
                        PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
                    } completionHandler: { isDone, error in
                        continuation.resume(returning: (isDone, error))
                    }
                }
                #expect(isDone && error == nil)
                #expect(PHAsset.fetchAssets(with: .image, options: nil).count == 1)
                #expect(FileManager.default.fileExists(atPath: url.path))
            }
        }

        @Test("The blocking form returns after the change") func blocking() async throws {
            try await fixture.use {
                let url = try fixture.photo("1.png", year: 2021)
                var identifier: String?
                try PHPhotoLibrary.shared().performChangesAndWait {
                    let request = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
                    identifier = request?.placeholderForCreatedAsset?.localIdentifier
                }
                #expect(identifier == "2021/05/1.png")
                #expect(PHAsset.fetchAssets(with: nil).firstObject?.localIdentifier == identifier)
            }
        }

        @Test("A movie is saved with its duration") func movie() async throws {
            try await fixture.use {
                let url = URL(fileURLWithPath: try TestMovies.h264())
                var placeholder: PHObjectPlaceholder?
                try await PHPhotoLibrary.shared().performChanges {
                    placeholder =
                        PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: url)?
                        .placeholderForCreatedAsset
                }
                let movie = try asset(try #require(placeholder?.localIdentifier))
                #expect(movie.mediaType == .video)
                #expect((movie.pixelWidth, movie.pixelHeight) == (160, 90))
                #expect(abs(movie.duration - 2) < 0.1)
                #expect(PHAsset.fetchAssets(with: .video, options: nil).count == 1)
                #expect(PHAsset.fetchAssets(with: .image, options: nil).count == 0)
            }
        }

        @Test("Data is saved under the name that is wanted, with the extension of its contents") func data()
            async throws
        {
            try await fixture.use {
                let (jpeg, png) = (
                    try Data(contentsOf: fixture.photo("a.jpg")), try Data(contentsOf: fixture.photo("a.png"))
                )
                let movie = try Data(contentsOf: URL(fileURLWithPath: TestMovies.h264(in: "mov")))
                var made: [PHObjectPlaceholder?] = []
                try await PHPhotoLibrary.shared().performChanges {
                    let options = PHAssetResourceCreationOptions()
                    options.originalFilename = "IMG_0001.HEIC"
                    let first = PHAssetCreationRequest.forAsset()
                    first.addResource(with: .photo, data: jpeg, options: options)
                    let second = PHAssetCreationRequest.forAsset()
                    second.addResource(with: .photo, data: png, options: nil)
                    let movieOptions = PHAssetResourceCreationOptions()
                    movieOptions.uniformTypeIdentifier = UTType.quickTimeMovie.identifier
                    let third = PHAssetCreationRequest.forAsset()
                    third.addResource(with: .video, data: movie, options: movieOptions)
                    made = [first, second, third].map(\.placeholderForCreatedAsset)
                }
                let names = try made.map { try #require($0?.localIdentifier) }
                #expect(names[0] == "2020/05/IMG_0001.jpg")
                #expect(names[1].hasPrefix("2020/05/photo-") && names[1].hasSuffix(".png"))
                #expect(names[2].hasSuffix(".mov"))
                #expect(try names.map { try asset($0).mediaType } == [.image, .image, .video])
                #expect(try Data(contentsOf: URL(fileURLWithPath: "\(fixture.path)/\(names[0])")) == jpeg)
            }
        }

        @Test("A moved file is deleted when its copy is in the library") func moving() async throws {
            try await fixture.use {
                let url = try fixture.photo("1.jpg")
                try await PHPhotoLibrary.shared().performChanges {
                    let options = PHAssetResourceCreationOptions()
                    options.shouldMoveFile = true
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, fileURL: url, options: options)
                }
                #expect(!FileManager.default.fileExists(atPath: url.path))
                #expect(PHAsset.fetchAssets(with: nil).count == 1)
            }
        }

        @Test("Files of one name, also in one block, get different identifiers") func equalNames() async throws {
            try await fixture.use {
                let url = try fixture.photo("1.jpg")
                let first = try await add([url, url])
                let second = try await add([url])
                #expect(Set(first + second).count == 3)
                #expect(identifiers(PHAsset.fetchAssets(with: nil)).sorted() == (first + second).sorted())
            }
        }

        @Test("A new asset can be a favorite") func favorite() async throws {
            try await fixture.use {
                let url = try fixture.photo("1.jpg")
                try await PHPhotoLibrary.shared().performChanges {
                    let request = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
                    request?.isFavorite = true
                }
                #expect(PHAsset.fetchAssets(with: nil).firstObject?.isFavorite == true)
            }
        }

        @Test("A missing file gives no request") func missingFile() async throws {
            try await fixture.use {
                let url = URL(fileURLWithPath: fixture.folder("none.jpg"))
                var isNil = [false, false]
                try await PHPhotoLibrary.shared().performChanges {
                    isNil[0] = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url) == nil
                    isNil[1] = PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: url) == nil
                }
                #expect(isNil == [true, true])
            }
        }

        @Test("Data that cannot be added changes nothing, and the error says why") func badData() async throws {
            try await fixture.use {
                let good = try fixture.photo("good.jpg")
                let cut = try Data(contentsOf: good).prefix(20)
                let text = fixture.folder.url.appendingPathComponent("text.jpg")
                try Data("no photo".utf8).write(to: text)
                let bodies: [(PHAssetCreationRequest) -> Void] = [
                    { $0.addResource(with: .photo, data: Data(), options: nil) },
                    { $0.addResource(with: .photo, data: cut, options: nil) },
                    { $0.addResource(with: .photo, fileURL: text, options: nil) },
                    { $0.addResource(with: .video, fileURL: good, options: nil) },
                    { $0.addResource(with: .photo, fileURL: good.appendingPathExtension("none"), options: nil) },
                    { $0.addResource(with: .photo, fileURL: fixture.folder.url, options: nil) },
                ]
                for body in bodies {
                    let code = await photosCode {
                        try await PHPhotoLibrary.shared().performChanges {
                            PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: good)
                            body(PHAssetCreationRequest.forAsset())
                        }
                    }
                    #expect(code == .invalidResource)
                }
                let withoutPixels = await photosCode {
                    try await PHPhotoLibrary.shared().performChanges {
                        PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: good)
                        PHAssetChangeRequest.creationRequestForAsset(from: UIImage(ciImage: .empty()))
                    }
                }
                #expect(withoutPixels == .invalidResource)
                #expect(PHAsset.fetchAssets(with: nil).count == 0)
                #expect(fixture.fileCount == 0)
            }
        }

        @Test("An asset needs one file") func numberOfFiles() async throws {
            try await fixture.use {
                let url = try fixture.photo("1.jpg")
                #expect(
                    await photosCode {
                        try await PHPhotoLibrary.shared().performChanges { PHAssetCreationRequest.forAsset() }
                    } == .changeNotSupported)
                #expect(
                    await photosCode {
                        try await PHPhotoLibrary.shared().performChanges {
                            let request = PHAssetCreationRequest.forAsset()
                            request.addResource(with: .photo, fileURL: url, options: nil)
                            request.addResource(with: .photo, fileURL: url, options: nil)
                        }
                    } == .changeNotSupported)
                #expect(fixture.fileCount == 0)
                #expect(PHAssetCreationRequest.supportsAssetResourceTypes([1]))
                #expect(PHAssetCreationRequest.supportsAssetResourceTypes([2]))
                #expect(!PHAssetCreationRequest.supportsAssetResourceTypes([1, 9]))
                #expect(!PHAssetCreationRequest.supportsAssetResourceTypes([]))
            }
        }

        @Test("The completion handler receives the error as PHPhotosError") func error() async throws {
            try await fixture.use {
                let error = await withCheckedContinuation { continuation in
                    PHPhotoLibrary.shared().performChanges({
                        PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Data(), options: nil)
                    }) { isDone, error in
                        continuation.resume(returning: isDone ? nil : error)
                    }
                }
                let failure = try #require(error)
                #expect(PHPhotosError.invalidResource ~= failure)
                #expect((failure as NSError).domain == PHPhotosErrorDomain && (failure as NSError).code == 3302)
                #expect(failure.localizedDescription.contains("cannot be read"))
                #expect((failure as NSError).userInfo[NSUnderlyingErrorKey] is ObscuraError)
            }
        }

        @Test("A request outside of a block has no effect") func outside() async throws {
            try await fixture.use {
                let request = try #require(
                    PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: fixture.photo("1.jpg")))
                request.isFavorite = true
                try await PHPhotoLibrary.shared().performChanges {}
                #expect(PHAsset.fetchAssets(with: nil).count == 0)
            }
        }

        @Test("A library that cannot be changed reports it", .enabled(if: geteuid() != 0, "root may write everywhere"))
        func readOnly() async throws {
            try await fixture.use {
                let url = try fixture.photo("1.jpg")
                _ = try await add([url])
                try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: fixture.path)
                defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: fixture.path) }
                #expect(PHPhotoLibrary.authorizationStatus(for: .addOnly) == .restricted)
                let other = try fixture.photo("2.jpg", year: 2031)
                #expect(await photosCode { _ = try await add([other]) } == .accessUserDenied)
                #expect(PHAsset.fetchAssets(with: nil).count == 1)
            }
        }
    }
}
