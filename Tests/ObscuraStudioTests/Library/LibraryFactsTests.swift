// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite struct LibraryFactsTests {
    private func facts(of properties: StillProperties) async throws -> [String: String] {
        let library = try TestLibrary()
        try library.put("x.jpg", try Quarters.jpeg(properties))
        let item = try await library.folder.item(named: "x.jpg", withMetadata: true)
        let facts = try #require(item.metadata)
        #expect(Set(facts.map(\.label)).count == facts.count)
        return Dictionary(facts.map { ($0.label, $0.value) }) { first, _ in first }
    }

    @Test func aPhotoSaysWhatTheCameraSaid() async throws {
        var properties = StillProperties()
        properties.metadata.make = "Acme"
        properties.metadata.model = "Acme One"
        properties.metadata.title = "A title"
        properties.metadata.date = WallTime(nanosecondsSince1970: 1_600_000_000_250_000_000, secondsFromUTC: 3600)
        properties.metadata.location = try GeographicLocation(latitude: 52.5, longitude: -4.25, altitude: 12)
        var exposure = Metadata.Exposure()
        exposure.duration = 1.0 / 60
        exposure.iso = 200
        exposure.aperture = 2.8
        exposure.focalLength = 4.25
        exposure.bias = 0.5
        exposure.flashFired = false
        properties.metadata.exposure = exposure
        let facts = try await facts(of: properties)
        #expect(facts["Kind"] == "JPEG" && facts["Stored size"] == "64 × 48")
        #expect(facts["Camera"] == "Acme One" && facts["Title"] == "A title")
        #expect(facts["Taken"] == "2020-09-13 13:26:40.250+01:00")
        #expect(facts["Exposure"] == "1/60 s" && facts["Sensitivity"] == "ISO 200" && facts["Aperture"] == "f/2.8")
        #expect(facts["Focal length"] == "4.25 mm" && facts["Exposure bias"] == "+0.5 EV")
        #expect(facts["Flash"] == "did not fire" && facts["Place"] == "52.5, -4.25, 12 m")
    }

    @Test func whatAFileSaysIsOneShortLine() async throws {
        var properties = StillProperties()
        properties.metadata.description = "a\n\u{1b}[2Jb\t" + String(repeating: "x", count: 5000)
        properties.metadata.author = "\n\t "
        let facts = try await facts(of: properties)
        let text = try #require(facts["Description"])
        #expect(text.hasPrefix("a [2Jb xx") && text.count <= 301 && text.hasSuffix("…"))
        #expect(facts["Author"] == nil)
    }

    @Test(arguments: [Double.leastNonzeroMagnitude, 1e-300, 1e300, 0.0, -1, .nan, .infinity])
    func strangeExposuresTrapNobody(value: Double) async throws {
        var properties = StillProperties()
        var exposure = Metadata.Exposure()
        (exposure.duration, exposure.aperture, exposure.focalLength, exposure.bias) = (value, value, value, value)
        properties.metadata.exposure = exposure
        #expect(try await facts(of: properties)["Kind"] == "JPEG")
    }

    @Test func aMovieSaysItsPicturesItsSoundAndItsWords() async throws {
        let library = try TestLibrary()
        let path = try TestMovies.path(
            "said.mp4",
            [
                "-i", try TestMovies.h264(), "-c", "copy", "-metadata", "title=A film", "-metadata",
                "location=+52.5000-004.2500/", "-metadata", "creation_time=2020-09-13T12:26:40Z",
            ])
        try library.put("x.mp4", Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        let item = try await library.folder.item(named: "x.mp4", withMetadata: true)
        let facts = Dictionary((item.metadata ?? []).map { ($0.label, $0.value) }) { first, _ in first }
        #expect(facts["Video"]?.hasPrefix("H264 (") == true)
        #expect(facts["Video"]?.hasSuffix("160 × 90, 25 frames per second") == true)
        #expect(facts["Sound"] == "AAC, 44.1 kHz, 1 channel" && facts["Title"] == "A film")
        #expect(item.place?.latitude == 52.5 && item.date.hasPrefix("2020-09-13T12:26:40"))
    }
}
