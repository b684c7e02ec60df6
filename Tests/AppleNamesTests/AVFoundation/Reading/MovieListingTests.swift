// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import TestSupport
import Testing
import UIKit

@testable import AppleListings

/// A source of an iOS app that reads movies runs as it does on a phone.
@Suite("iOS sources with movies", .hangLimit) struct MovieListingTests {
    private let movies = try? ReadingMovies()

    @Test("MovieScanner makes thumbnails of the frames at their times")
    func thumbnails() async throws {
        let scanner = MovieScanner(url: try await #require(movies).video().url)
        let images = await withCheckedContinuation { continuation in
            scanner.thumbnails(count: 4) { continuation.resume(returning: $0) }
        }
        #expect(images.map(\.size) == Array(repeating: CGSize(width: 64, height: 38), count: 4))
        #expect(try images.map { try ReadingMovies.number(#require($0.cgImage)) } == [0, 15, 30, 45])
        #expect(scanner.firstImage()?.size == CGSize(width: 160, height: 96))
    }

    @Test("MovieScanner reads the times of the frames, and the sound")
    func reading() async throws {
        let scanner = MovieScanner(url: try await #require(movies).videoAndSamples().url)
        #expect(try scanner.presentationTimes() == (0..<ReadingMovies.frameCount).map(WritingMovies.time))
        #expect(abs(Double(try scanner.loudestSample()) - 0.4 * 32_768) < 20)
        #expect(try await scanner.summary() == "2 tracks, 2.0 s, 160.0x96.0 at 30.0")
    }
}
