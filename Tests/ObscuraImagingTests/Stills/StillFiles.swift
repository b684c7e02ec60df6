// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// Stills of the tests, and the file in which others read them.
enum StillFiles {
    static let formats: [StillFormat] = [.jpeg(), .png()]

    /// Runs `body` with the path of a file of these bytes, which is gone afterwards.
    static func with<R>(_ bytes: [UInt8], _ body: (String) throws -> R) throws -> R {
        let path = FileManager.default.temporaryDirectory.appending(path: "obscura-\(UUID().uuidString).still").path
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    /// What exiftool reads of a small still with these metadata.
    static func readBack(_ metadata: Metadata, _ format: StillFormat = .jpeg()) throws -> (ExifTool, StillInfo) {
        let picture = try PixelBuffer.noise(.i420, 48, 32)
        let file = try StillEncoder(format).encode(picture, StillProperties(metadata: metadata))
        return (try with(file) { try ExifTool($0) }, try StillInfo(file))
    }

    /// Every field is said.
    static func full() throws -> Metadata {
        var metadata = Metadata()
        // 2026-03-01 14:05:09.25 at +05:45.
        metadata.date = WallTime(nanosecondsSince1970: 1_772_353_209_250_000_000, secondsFromUTC: 20_700)
        metadata.location = try GeographicLocation(latitude: 52.1234567, longitude: 4.3, altitude: 12.5)
        metadata.make = "Obscura"
        metadata.model = "Test pattern 2"
        metadata.software = "obscura 0.1.0"
        metadata.title = "Der Weg, <1> & \"zwei\""
        metadata.description = "Schöne Aussicht — 山 🏔\nzweite Zeile"
        metadata.author = "Zoë O’Neill"
        metadata.copyright = "© 2026 Zoë"
        metadata.keywords = ["Wald", "<Weg>"]
        metadata.language = "deu"
        metadata.translations = [
            "en": Metadata.Translation(title: "The way", copyright: "© 2026 Zoë & others"),
            "zh-Hant": Metadata.Translation(description: "美麗的景色"),
        ]
        metadata.custom = ["shot": "7", "a=b%": "x=y", "mark": "\u{301}x=", "n=\u{338}%\u{301}": "y"]
        var exposure = Metadata.Exposure()
        exposure.duration = 0.0333
        exposure.iso = 400
        exposure.bias = -0.5
        exposure.aperture = 2.8
        exposure.focalLength = 4.25
        exposure.flashFired = true
        metadata.exposure = exposure
        return metadata
    }
}

extension Trait where Self == ConditionTrait {
    /// Needs `exiftool` to read photos.
    static var needsExifTool: Self { .enabled("exiftool is not installed") { ExifTool.isInstalled } }
}
