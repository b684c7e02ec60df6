// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import Photos
import TestSupport
import Testing
import UIKit

@testable import AppleListings

extension PhotosTests {
    /// The source `PhotoAlbum` in `Tests/AppleListings` runs as it does on a phone.
    @Suite("iOS sources with photos") struct Listing {
        @Test("PhotoAlbum creates its album, saves an image and a movie, observes them, and deletes the image")
        func photoAlbum() async throws {
            let fixture = try PhotosFixture()
            try await fixture.use {
                // Used by one task at a time.
                nonisolated(unsafe) let album = PhotoAlbum()
                let changes = Lock<[[Int]]>([])
                album.onChange = { inserted, removed in changes.withLock { $0.append([inserted, removed]) } }
                #expect(await withCheckedContinuation { done in album.createIfNeeded { done.resume(returning: $0) } })
                let image = UIImage(cgImage: CGImage(try .quarters(640, 320)))
                let saved = await withCheckedContinuation { done in album.save(image) { done.resume(returning: $0) } }
                let identifier = try #require(saved)
                #expect(await becomes { album.assets?.firstObject?.localIdentifier == identifier })
                let asset = try #require(album.assets?.firstObject)
                #expect(album.thumbnail(of: asset, size: 100)?.size == CGSize(width: 200, height: 100))
                let movie = fixture.folder.url.appendingPathComponent("source/movie.mp4")
                try FileManager.default.copyItem(at: URL(fileURLWithPath: TestMovies.h264()), to: movie)
                let movieIdentifier = try #require(try await album.saveMovie(movie))
                #expect(try AppleNamesTests.asset(movieIdentifier).mediaType == .video)
                #expect(await withCheckedContinuation { done in album.delete([asset]) { done.resume(returning: $0) } })
                #expect(await becomes { album.assets?.count == 0 })
                // The album has its new assets before it tells of them.
                #expect(await becomes { changes.withLock { $0 } == [[1, 0], [0, 1]] })
            }
        }
    }
}
