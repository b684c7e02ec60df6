// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraImaging
import ObscuraLibrary
import ObscuraMedia
import TestSupport

/// A library in a folder of one test, and photos for it.
final class LibraryFixture: Sendable {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["library", "cache", "source"] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
        }
    }

    var path: String { folder("library") }
    var source: String { folder("source") }

    /// Opens the library; several of one fixture are as in several processes.
    func open() async throws -> MediaLibrary {
        var options = MediaLibrary.Options()
        options.cacheFolder = folder("cache")
        options.thumbnailFolder = folder("thumbnails")
        options.minimumFreeSpace = 0
        return try await MediaLibrary(path: path, options: options)
    }

    /// Writes a photo of one gray value, whose bytes depend on all parameters.
    ///
    /// - Parameter path: relative to the folder of the fixture.
    func photo(
        _ path: String, gray: UInt8 = 100, size: PixelSize = PixelSize(width: 48, height: 32),
        _ change: (inout Metadata) -> Void = { _ in }
    ) throws {
        var picture = try PixelBuffer(format: .gray8, width: size.width, height: size.height)
        try picture.withMutableBytes(ofPlane: 0) { bytes in
            for offset in 0..<bytes.byteCount { bytes.storeBytes(of: gray, toByteOffset: offset, as: UInt8.self) }
        }
        var metadata = Metadata()
        // Similar grays are equal after compression.
        metadata.author = "\(gray)"
        change(&metadata)
        let bytes = try Still(picture, metadata: metadata).encoded()
        let url = folder.url.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder(path)) }

    /// The names of all visible files of the library, with their folders, sorted.
    func files() -> [String] {
        (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? [])
            .filter { !$0.hasPrefix(".obscura") && !isFolder($0) }.sorted()
    }

    private func isFolder(_ name: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder) && isFolder.boolValue
    }
}

extension MediaLibrary {
    func paths(_ query: LibraryQuery = LibraryQuery()) async throws -> [String] {
        try await items(matching: query, limit: 1000).items.map(\.path)
    }
}

/// Returns the code of the error that `body` throws; nil if it throws none.
func code(_ body: () async throws -> Void) async -> ObscuraError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? ObscuraError)?.code
    }
}
