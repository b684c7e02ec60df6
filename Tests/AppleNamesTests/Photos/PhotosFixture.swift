// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraImaging
import ObscuraLibrary
import ObscuraMedia
import Photos
import TestSupport
import Testing
import UIKit

/// The tests of Photos, one after another: their calls block threads of Swift's executor, which other tests need.
@Suite("Photos", .serialized, .hangLimit) enum PhotosTests {}

/// A library of one test, and files for it.
final class PhotosFixture: Sendable {
    // Released before its folder is deleted.
    let store: PhotoStore
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder("source"), withIntermediateDirectories: true)
        store = Self.store(folder)
    }

    private static func store(_ folder: TemporaryFolder) -> PhotoStore {
        var options = MediaLibrary.Options()
        options.cacheFolder = folder("cache")
        options.thumbnailFolder = folder("thumbnails")
        options.minimumFreeSpace = 0
        return PhotoStore(path: folder("library"), options: options)
    }

    /// Another process with the same library.
    var otherProcess: PhotoStore { Self.store(folder) }

    var path: String { store.path }

    /// Opens the library with Obscura's own names.
    func library() async throws -> MediaLibrary {
        var options = MediaLibrary.Options()
        options.cacheFolder = folder("cache")
        options.thumbnailFolder = folder("thumbnails")
        options.minimumFreeSpace = 0
        return try await MediaLibrary(path: path, options: options)
    }

    /// Calls `body` with the library as that of the program.
    nonisolated(nonsending) func use<R>(_ body: () async throws -> R) async rethrows -> R {
        try await PhotoStore.$current.withValue(store) { try await body() }
    }

    /// Writes a photo of four quarters, whose bytes depend on all parameters.
    @discardableResult
    func photo(
        _ name: String, width: Int = 64, height: Int = 32, year: Int = 2020, orientation: UIImage.Orientation = .up
    ) throws -> URL {
        let url = folder.url.appendingPathComponent("source").appendingPathComponent(name)
        try photo(at: url, width, height, year, orientation)
        return url
    }

    /// Writes a photo into the folder of the library, as another program does.
    func foreignPhoto(_ path: String, width: Int = 64, year: Int = 2020) throws {
        let url = URL(fileURLWithPath: "\(self.path)/\(path)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try photo(at: url, width, 32, year, .up)
    }

    private func photo(
        at url: URL, _ width: Int, _ height: Int, _ year: Int, _ orientation: UIImage.Orientation
    ) throws {
        var properties = StillProperties()
        properties.metadata.date = Self.may(year)
        properties.metadata.author = url.lastPathComponent
        properties.orientation = orientation == .right ? .right : .up
        let bytes = try StillEncoder(url.pathExtension == "png" ? .png() : .jpeg(quality: 95))
            .encode(.quarters(width, height), properties)
        try Data(bytes).write(to: url)
    }

    /// A time in May of a year.
    static func may(_ year: Int) -> WallTime {
        WallTime(nanosecondsSince1970: (Int64(year - 1970) * 31_556_952 + 11_800_000) * 1_000_000_000)
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(self.path)/\(path)") }

    /// The number of photos and movies in the folder.
    var fileCount: Int {
        let names = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
        return names.count { name in ["jpg", "png", "mp4", "mov"].contains { name.hasSuffix(".\($0)") } }
    }
}

/// The identifiers of a result.
func identifiers(_ result: PHFetchResult<PHAsset>) -> [String] {
    (0..<result.count).map { result[$0].localIdentifier }
}

/// The code of the error that `body` throws; nil if it throws none.
func photosCode(_ body: () async throws -> Void) async -> PHPhotosError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? PHPhotosError)?.code
    }
}

/// Adds photos from files, and returns their identifiers.
func add(_ urls: [URL]) async throws -> [String] {
    var placeholders: [PHObjectPlaceholder] = []
    try await PHPhotoLibrary.shared().performChanges {
        placeholders = urls.compactMap {
            PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: $0)?.placeholderForCreatedAsset
        }
    }
    return placeholders.map(\.localIdentifier)
}

/// Fetches one asset.
func asset(_ identifier: String) throws -> PHAsset {
    try #require(PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil).firstObject)
}
