// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

/// Metadata of movies that `AVAssetWriter` writes.
@Suite("AVMetadataItem in movies", .hangLimit) struct MetadataMovieTests {
    private let movies = try? WritingMovies()

    private func item(
        _ identifier: AVMetadataIdentifier, _ value: (any NSCopying & NSObjectProtocol)?, language: String? = nil
    ) -> AVMetadataItem {
        let item = AVMutableMetadataItem()
        item.identifier = identifier
        item.value = value
        item.extendedLanguageTag = language
        return item
    }

    private func item(_ identifier: AVMetadataIdentifier, _ text: String, language: String? = nil) -> AVMetadataItem {
        item(identifier, NSString(string: text), language: language)
    }

    /// The path of a movie with the metadata.
    private func record(_ items: [AVMetadataItem], _ type: AVFileType = .mp4) async throws -> String {
        let movies = try #require(movies)
        let name = type == .mov ? "movie.mov" : "movie.mp4"
        let writer = try movies.writer(type, name)
        let input = WritingMovies.video()
        writer.add(input)
        writer.metadata = items
        try #require(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: .zero)
        #expect(input.append(try WritingMovies.frame(at: .zero)))
        await writer.finishWriting()
        try #require(writer.status == .completed, "\(String(describing: writer.error))")
        return movies.folder(name)
    }

    @Test("All properties are read back, also by exiftool", arguments: [AVFileType.mp4, .mov])
    func everything(type: AVFileType) async throws {
        let items = [
            item(.quickTimeMetadataLocationISO6709, "+55.7522+037.6156/"),
            item(.commonIdentifierTitle, "Green to zero"),
            item(.quickTimeUserDataDescription, "Red and blue “only”"),
            item(.commonIdentifierCreator, "Ibn al-Haytham"),
            item(.iTunesMetadataCopyright, "© 1021"), item(.quickTimeMetadataMake, "Obscura Works"),
            item(.commonIdentifierModel, "Pinhole 1"), item(.quickTimeUserDataSoftware, "test 1.0"),
            item(.quickTimeMetadataKeywords, NSArray(array: [NSString(string: "optics"), NSString(string: "eyes")])),
            item(.commonIdentifierCreationDate, NSDate(timeIntervalSince1970: 951_782_400.25)),
            item(.commonIdentifierArtist, "A painter"),
            item(AVMetadataIdentifier("mdta/org.example.height"), NSNumber(value: 1.6)),
            // Without meaning here.
            item(AVMetadataIdentifier("id3/TIT2"), "no"), item(.commonIdentifierTitle, "a second title"),
            AVMetadataItem(),
            item(.quickTimeMetadataComment, NSData(data: Data([1]))),
        ]
        let path = try await record(items, type)
        let metadata = try MovieContents.read(path).metadata
        #expect(metadata.location == (try GeographicLocation(latitude: 55.7522, longitude: 37.6156)))
        #expect(metadata.title == "Green to zero" && metadata.description == "Red and blue “only”")
        #expect(metadata.author == "Ibn al-Haytham" && metadata.copyright == "© 1021")
        #expect(metadata.make == "Obscura Works" && metadata.model == "Pinhole 1" && metadata.software == "test 1.0")
        #expect(metadata.keywords == ["optics", "eyes"])
        #expect(metadata.date?.nanosecondsSince1970 == 951_782_400_250_000_000)
        #expect(metadata.custom == ["com.apple.quicktime.artist": "A painter", "org.example.height": "1.6"])
        #expect(metadata.translations.isEmpty)

        let tool = try ExifTool(path)
        #expect(abs((tool.number("Composite:GPSLatitude") ?? 0) - 55.7522) < 1e-6)
        #expect(abs((tool.number("Composite:GPSLongitude") ?? 0) - 37.6156) < 1e-6)
        #expect(tool["Keys:Title"] == "Green to zero" && tool["Keys:Author"] == "Ibn al-Haytham")
        #expect(tool["Keys:Artist"] == "A painter" && tool["Keys:Make"] == "Obscura Works")
    }

    @Test("Items that were read are those that were written, and can be written again")
    func roundTrip() async throws {
        let items = [
            item(.commonIdentifierLocation, "-33.8568+151.2153+012.500/"), item(.quickTimeMetadataTitle, "Optics"),
            item(.quickTimeMetadataTitle, "Optik", language: "de"),
            item(.quickTimeMetadataTitle, "Óptica", language: "pt-BR"),
            item(.quickTimeMetadataCreationDate, "2000-02-29T01:00:00.500+01:00"),
            item(AVMetadataIdentifier("mdta/org.example.note"), "5"),
        ]
        let first = try MovieContents.read(try await record(items)).metadata
        let read = AVMetadataItem.items(of: first)
        func text(_ identifier: AVMetadataIdentifier, _ language: String? = nil) -> String? {
            AVMetadataItem.metadataItems(from: read, filteredByIdentifier: identifier)
                .first { $0.extendedLanguageTag == language }?.stringValue
        }
        #expect(text(.quickTimeMetadataLocationISO6709) == "-33.8568000+151.2153000+012.500/")
        #expect(text(.commonIdentifierLocation) == text(.quickTimeMetadataLocationISO6709))
        #expect(text(.quickTimeMetadataTitle) == "Optics" && text(.commonIdentifierTitle, "de") == "Optik")
        #expect(text(.quickTimeMetadataTitle, "pt") == "Óptica")
        #expect(text(.quickTimeMetadataCreationDate) == "2000-02-29T01:00:00.500+01:00")
        #expect(text(AVMetadataIdentifier("mdta/org.example.note")) == "5")
        let date = AVMetadataItem.metadataItems(from: read, filteredByIdentifier: .commonIdentifierCreationDate).first
        #expect(date?.dateValue == Date(timeIntervalSince1970: 951_782_400.5))
        // The engine has filled in the software.
        #expect(text(.commonIdentifierSoftware)?.hasPrefix("Obscura") == true && read.count == 7)
        #expect(Metadata(read) == first)
    }

    @Test("A text that has only languages is also that of no language")
    func languages() {
        let metadata = Metadata([
            item(.commonIdentifierTitle, "Optik", language: "de-DE"),
            item(.commonIdentifierTitle, "Optique", language: "fra"),
            item(.commonIdentifierMake, "Obscura", language: "de"),
            item(.commonIdentifierCopyrights, "none", language: "und"),
        ])
        #expect(metadata.title == "Optik" && metadata.make == "Obscura" && metadata.copyright == "none")
        #expect(metadata.translations.mapValues(\.title) == ["deu": "Optik", "fra": "Optique"])
        #expect(metadata.custom.isEmpty)
    }

    @Test("Locations and dates that cannot be read are kept as texts", arguments: ["", "here", "+91.0+000.0/", "+1"])
    func nonsense(text: String) {
        let metadata = Metadata([item(.commonIdentifierLocation, text), item(.commonIdentifierCreationDate, text)])
        var expected = Metadata()
        expected.custom = Dictionary(
            uniqueKeysWithValues: ["location.ISO6709", "creationdate"].map { ("com.apple.quicktime.\($0)", text) })
        #expect(metadata == expected)
    }

    @Test("A location with the name of a system of coordinates is read")
    func coordinates() throws {
        let metadata = Metadata([item(.quickTimeMetadataLocationISO6709, "+55.75220+037.61560+150CRSWGS_84")])
        #expect(metadata.location == (try GeographicLocation(latitude: 55.7522, longitude: 37.6156, altitude: 150)))
    }

    @Test("Metadata that no movie can have is an error of startWriting")
    func refused() throws {
        let movies = try #require(movies)
        let writer = try movies.writer()
        writer.add(WritingMovies.video())
        writer.metadata = [item(.commonIdentifierTitle, "A\u{0}B")]
        #expect(!writer.startWriting() && code(writer) == .invalidSettings && movies.folder.names() == [])
    }
}
