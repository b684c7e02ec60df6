// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@Suite(.hangLimit) struct MetadataTests {
    private func record(_ suffix: String, _ metadata: Metadata, fills: Bool = true) async throws -> String {
        let path = try Recordings.path("movie.\(suffix)")
        var options = AssetWriter.Options()
        options.metadata = metadata
        options.fillsMetadata = fills
        let writer = try AssetWriter(path: path, audio: AudioSettings(), options: options)
        try writer.startSession(at: .zero)
        try await Recordings.feed(writer, frames: 6, audio: true)
        try await writer.finish()
        return path
    }

    private func whole() throws -> Metadata {
        var metadata = Metadata()
        metadata.date = WallTime(nanosecondsSince1970: 1_772_370_309_250_000_000, secondsFromUTC: 3_600)
        metadata.location = try GeographicLocation(latitude: 52.1234567, longitude: -4.3, altitude: -3.25)
        metadata.make = "Obscura Works"
        metadata.model = "Pinhole 1"
        metadata.software = "obscura test"
        metadata.title = "A title with “quotes” & <signs>"
        metadata.description = "What is seen"
        metadata.author = "Ibn al-Haytham"
        metadata.copyright = "© 1021"
        metadata.keywords = ["optics", "camera obscura"]
        metadata.language = "ara"
        metadata.translations = [
            "deu": Metadata.Translation(title: "Ein Titel", description: "Was man sieht"),
            "fra": Metadata.Translation(title: "Un titre", copyright: "© 1021, droits réservés"),
        ]
        metadata.custom = ["org.example.camera-height": "1.6 m"]
        return metadata
    }

    @Test("Metadata that no movie can have is refused, before anything is written")
    func refused() async throws {
        var large = Metadata()
        large.custom = ["scan": String(repeating: "x", count: 100 << 20)]
        var several = Metadata()
        several.description = String(repeating: "ü", count: 600_000)
        var zero = Metadata()
        zero.title = "A\u{0}B"
        var comma = Metadata()
        comma.keywords = ["a, b"]
        var nameless = Metadata()
        nameless.custom = ["": "x"]
        var twoLetters = Metadata()
        twoLetters.translations = ["de": Metadata.Translation(title: "Titel")]
        for (metadata, word) in [
            (large, "the limit is 1048576"), (several, "the limit is 1048576"), (zero, "zero byte"), (comma, "comma"),
            (nameless, "is empty"), (twoLetters, "three lower-case letters"),
        ] {
            var options = AssetWriter.Options()
            options.metadata = metadata
            let path = try Recordings.path("refused.mp4")
            #expect("\(word)") { try AssetWriter(path: path, options: options) } throws: {
                let error = $0 as? ObscuraError
                return error?.code == .invalidSettings && error?.reason.contains(word) == true
            }
            #expect(try Recordings.neighbours(path).isEmpty)
            // A part of a recording: the recording continues.
            let writer = try AssetWriter(path: path)
            try writer.startSession(at: .zero)
            #expect(throws: ObscuraError.self) { try writer.split(to: path + "-2.mp4", metadata: metadata) }
            try await writer.append(Recordings.frame(0, at: .zero))
            #expect(try await writer.finish().videoFrameCount == 1)
        }
    }

    @Test("Everything that a movie says of itself is read back, by us and by others", arguments: ["mp4", "mov", "mkv"])
    func fields(suffix: String) async throws {
        let metadata = try whole()
        let path = try await record(suffix, metadata)
        var read = try MovieContents.read(path).metadata
        if suffix == "mkv" {
            // Matroska's names are in capitals.
            read.custom = Dictionary(uniqueKeysWithValues: read.custom.map { ($0.key.lowercased(), $0.value) })
        }
        #expect(read == metadata)
        let date = try #require(metadata.date)
        let translated = metadata.translations.values.flatMap { [$0.title, $0.description, $0.copyright] }
        let texts = [
            metadata.make, metadata.model, metadata.software, metadata.title, metadata.description, metadata.author,
            metadata.copyright, "1.6 m", "optics, camera obscura",
        ].compactMap { $0 }
        let probe = try StreamProbe(path)
        let tags = try #require(probe.format.tags)
        for text in texts + translated.compactMap(\.self) { #expect(tags.values.contains(text), "ffprobe: \(text)") }
        #expect(tags.values.contains(date.iso8601))
        #expect(tags.values.contains { $0.hasPrefix("2026-03-01T13:05:09") })
        #expect(tags.values.contains(try #require(metadata.location).iso6709))
        #expect(probe.audio?.tags?["language"] == "ara")
        let exif = String(
            decoding: try Tool.run("exiftool", ["-a", "-G1", "-api", "LargeFileSupport=1", "-charset", "UTF8", path]),
            as: UTF8.self)
        for text in texts + translated.compactMap(\.self) {
            #expect(exif.contains(text), "exiftool: \(text) in \(exif)")
        }
        #expect(exif.contains(suffix == "mkv" ? "Title (ger)" : "Title-deu"), "\(exif)")
        #expect(exif.contains("2026:03:01 14:05:09") || exif.contains("2026:03:01T14:05:09"), "\(exif)")
        let info = String(decoding: try Tool.run("mediainfo", ["--Full", path]), as: UTF8.self)
        // Of a Matroska file it shows the description in one language only.
        for text in texts where suffix != "mkv" || text != metadata.description {
            #expect(info.contains(text), "mediainfo: \(text) in \(info)")
        }
        #expect(info.contains("Arabic") || info.contains("ara"))
        #expect(info.contains("2026-03-01"))
    }

    @Test("The date and the software are filled in, unless that is turned off", arguments: ["mp4", "mov", "mkv"])
    func filledIn(suffix: String) async throws {
        let before = WallTime.now
        let read = try MovieContents.read(try await record(suffix, Metadata())).metadata
        let date = try #require(read.date)
        // Files store milliseconds.
        #expect(date.nanosecondsSince1970 >= before.nanosecondsSince1970 - 1_000_000)
        #expect(date.nanosecondsSince1970 <= WallTime.now.nanosecondsSince1970)
        #expect(read.software == "Obscura \(ObscuraBuild.version)")
        let bare = try MovieContents.read(try await record(suffix, Metadata(), fills: false)).metadata
        #expect(bare.date == nil && bare.software?.hasPrefix("Obscura") != true)
    }

    @Test(
        "A place is read back to a millionth of a degree, wherever on the earth it is",
        arguments: [
            (0.0, 0.0, nil), (-33.8567844, 151.2152967, 12.5), (90, 0, 2_835), (-90, -180, nil), (52.1, 180, nil),
            (0.0000001, -179.9999999, -10.994), (-0.5, -0.25, 0), (9.999999, -99.000001, 8_848.86),
        ] as [(Double, Double, Double?)], ["mp4", "mov", "mkv"])
    func places(place: (Double, Double, Double?), suffix: String) async throws {
        var metadata = Metadata()
        let location = try GeographicLocation(latitude: place.0, longitude: place.1, altitude: place.2)
        metadata.location = location
        let path = try await record(suffix, metadata)
        let read = try #require(try MovieContents.read(path).metadata.location)
        #expect(abs(read.latitude - place.0) < 1e-6 && abs(read.longitude - place.1) < 1e-6)
        #expect(read.altitude == nil ? place.2 == nil : abs((read.altitude ?? 0) - (place.2 ?? 1e9)) < 1e-3)
        guard suffix != "mkv" else {
            // exiftool knows no place in Matroska, but shows the text.
            let text = String(decoding: try Tool.run("exiftool", ["-a", path]), as: UTF8.self)
            return #expect(text.contains(location.iso6709), "\(text)")
        }
        let text = String(
            decoding: try Tool.run("exiftool", ["-n", "-s3", "-GPSLatitude", "-GPSLongitude", path]), as: UTF8.self)
        let numbers = text.split(separator: "\n").compactMap { Double($0) }
        try #require(numbers.count == 2, "\(text)")
        #expect(abs(numbers[0] - place.0) < 1e-6 && abs(numbers[1] - place.1) < 1e-6)
    }

    @Test("A date and a place that are not understood remain as texts")
    func unparsedTexts() throws {
        let texts = ["date": "2026", "location": "here"]
        let metadata = MovieTags(container: texts.merging(["creation_time": "2026-03-01T12:00:00Z"]) { $1 }).metadata
        #expect(metadata.date?.iso8601.hasPrefix("2026-03-01") == true && metadata.location == nil)
        #expect(metadata.custom == texts)
    }

    @Test("Places and dates as other programs write them are understood, and nonsense is nothing")
    func othersTexts() throws {
        func place(_ text: String) throws -> GeographicLocation? {
            let path = try TestMovies.path(
                "place-\(abs(text.hashValue)).mov",
                TestMovies.source(seconds: "0.2") + ["-c:v", "mjpeg", "-metadata", "location=\(text)"])
            return try MovieContents.read(path).metadata.location
        }
        #expect(try place("+40.7484-073.9857/")?.longitude == -73.9857)
        #expect(abs((try place("+4044.904-07359.142+010/")?.latitude ?? 0) - 40.748_4) < 1e-5)
        #expect(abs((try place("+404454.24-0735908.52/")?.longitude ?? 0) + 73.985_7) < 1e-6)
        for text in ["", "here", "+91.0+000.0/", "+1", "++", "+40.7484"] { #expect(try place(text) == nil, "\(text)") }
        func date(_ text: String) throws -> WallTime? {
            let path = try TestMovies.path(
                "date-\(abs(text.hashValue)).mkv",
                TestMovies.source(seconds: "0.2") + ["-c:v", "mjpeg", "-metadata", "DATE_RECORDED=\(text)"])
            return try MovieContents.read(path).metadata.date
        }
        let moment: Int64 = 951_782_400_000_000_000  // 2000-02-29T00:00:00Z
        #expect(try date("2000-02-29")?.nanosecondsSince1970 == moment)
        #expect(try date("2000-02-29T01:00:00+0100") == WallTime(nanosecondsSince1970: moment, secondsFromUTC: 3_600))
        #expect(try date("2000-02-28 16:30:00.5-07:30")?.nanosecondsSince1970 == moment + 500_000_000)
        #expect(try date("1969-12-31T23:59:59Z")?.nanosecondsSince1970 == -1_000_000_000)
        for text in ["2000", "2000-13-01", "yesterday", "2000-01-01T25:00:00", "2000-01-01Tx"] {
            #expect(try date(text) == nil, "\(text)")
        }
    }
}
