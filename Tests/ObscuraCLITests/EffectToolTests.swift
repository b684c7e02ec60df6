// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraCLI

/// `--effect`, as its users run it.
@Suite(.hangLimit) struct EffectToolTests {
    private let folder: TemporaryFolder
    private let obscura: ObscuraCLITests.Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = ObscuraCLITests.Tool(folder: folder)
    }

    /// How far the colours of a picture are from grey, and how green it is.
    private func colors(_ picture: PixelBuffer) throws -> (spread: Int, green: Int) {
        let bytes = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgra)).packedBytes()
        var (spread, green) = (0, 0)
        for place in stride(from: 0, to: bytes.count, by: 4) {
            let pixel = bytes[place..<(place + 3)].map(Int.init)
            spread = max(spread, (pixel.max() ?? 0) - (pixel.min() ?? 0))
            green = max(green, pixel[1])
        }
        return (spread, green)
    }

    @Test func `frames, photos and movies have the effects that are asked for`() async throws {
        let source = "pattern:320x180@30"
        for (effect, check) in [
            ("mono", { (colors: (spread: Int, green: Int)) in colors.spread <= 4 }),
            ("rosy", { colors in colors.green <= 40 && colors.spread > 100 }),
        ] {
            let frames = try await obscura(
                "extract", source, "-o", "\(effect)/%d.png", "--count", "3", "--effect", effect)
            #expect(frames.code == 0, "\(frames.errors)")
            #expect(check(try colors(Still(contentsOf: folder("\(effect)/3.png")).picture)), "\(effect)")
            let photo = try await obscura("photo", source, "-o", "\(effect).png", "--effect", effect)
            #expect(photo.code == 0, "\(photo.errors)")
            #expect(check(try colors(Still(contentsOf: folder("\(effect).png")).picture)), "\(effect)")
            let movie = try await obscura(
                "record", source, "-o", "\(effect).mp4", "--microphone", "none", "--duration", "300ms", "--effect",
                effect)
            #expect(movie.code == 0, "\(movie.errors)")
            // What shares its chroma with its neighbours, and was compressed, is a little off at the edges.
            var image = ImageRequest(pixelFormat: .i444, size: PixelSize(width: 8, height: 4))
            image.fit = .stretch
            for try await frame in FrameExtractor(source: folder("\(effect).mp4")).frames {
                let found = try colors(try frame.video.uprightImage(image))
                #expect(effect == "mono" ? found.spread <= 8 : found.green < 60, "\(effect): \(found)")
                break
            }
        }
    }

    @Test func `an effect that is none is said, with those that are`() async throws {
        for (effect, words) in [("sparkle", "rosy"), ("blur:many", "blur"), ("lut:missing.cube", "missing.cube")] {
            let outcome = try await obscura("extract", "pattern", "-o", "%d.png", "--count", "1", "--effect", effect)
            #expect(outcome.code == 64 && outcome.errors.contains(words), "\(effect): \(outcome.errors)")
        }
        #expect(folder.names().isEmpty)
    }
}
