// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import Testing
import UniformTypeIdentifiers

@Suite("UTType") struct UTTypeTests {
    @Test(
        "The identifiers are Apple's",
        arguments: [
            (UTType.item, "public.item"), (.content, "public.content"), (.data, "public.data"),
            (.text, "public.text"), (.plainText, "public.plain-text"), (.json, "public.json"),
            (.pdf, "com.adobe.pdf"), (.zip, "public.zip-archive"), (.image, "public.image"),
            (.jpeg, "public.jpeg"), (.png, "public.png"), (.tiff, "public.tiff"), (.gif, "com.compuserve.gif"),
            (.bmp, "com.microsoft.bmp"), (.heic, "public.heic"), (.heif, "public.heif-standard"),
            (.webP, "org.webmproject.webp"), (.rawImage, "public.camera-raw-image"),
            (.audiovisualContent, "public.audiovisual-content"), (.movie, "public.movie"),
            (.video, "public.video"), (.quickTimeMovie, "com.apple.quicktime-movie"),
            (.mpeg4Movie, "public.mpeg-4"), (.mpeg, "public.mpeg"), (.avi, "public.avi"), (.audio, "public.audio"),
            (.mp3, "public.mp3"), (.wav, "com.microsoft.waveform-audio"), (.mpeg4Audio, "public.mpeg-4-audio"),
        ])
    func identifiers(_ type: UTType, _ identifier: String) {
        #expect(type.identifier == identifier)
        #expect(UTType(identifier) == type)
        #expect(UTType(identifier.uppercased()) == type)
    }

    @Test("An extension gives its type, in any case") func extensions() {
        #expect(UTType(filenameExtension: "JPG") == .jpeg)
        #expect(UTType(filenameExtension: "jpeg") == .jpeg)
        #expect(UTType(filenameExtension: "mov") == .quickTimeMovie)
        #expect(UTType(filenameExtension: "heic") == .heic)
        #expect(UTType(filenameExtension: "txt") == .plainText)
        #expect(UTType(filenameExtension: "unknown") == nil)
        #expect(UTType(filenameExtension: "") == nil)
    }

    @Test("Of several types with an extension, the first that conforms is found") func conformingTo() {
        #expect(UTType(filenameExtension: "mp4") == .mpeg4Movie)
        #expect(UTType(filenameExtension: "mp4", conformingTo: .movie) == .mpeg4Movie)
        #expect(UTType(filenameExtension: "mp4", conformingTo: .audio) == .mpeg4Audio)
        #expect(UTType(filenameExtension: "mp4", conformingTo: .image) == nil)
        #expect(
            UTType.types(tag: "mp4", tagClass: .filenameExtension, conformingTo: nil) == [.mpeg4Movie, .mpeg4Audio])
    }

    @Test("A MIME type gives its type") func mimeTypes() {
        #expect(UTType(mimeType: "image/jpeg") == .jpeg)
        #expect(UTType(mimeType: "Video/QuickTime") == .quickTimeMovie)
        #expect(UTType(mimeType: "video/mp4", conformingTo: .image) == nil)
        #expect(UTType(mimeType: "application/x-unknown") == nil)
    }

    @Test("New files have the usual extension and MIME type") func preferred() {
        #expect(UTType.jpeg.preferredFilenameExtension == "jpeg")
        #expect(UTType.tiff.preferredFilenameExtension == "tiff")
        #expect(UTType.quickTimeMovie.preferredFilenameExtension == "mov")
        #expect(UTType.mpeg4Movie.preferredFilenameExtension == "mp4")
        #expect(UTType.png.preferredMIMEType == "image/png")
        #expect(UTType.movie.preferredFilenameExtension == nil)
        #expect(UTType.image.preferredMIMEType == nil)
        #expect(UTType.jpeg.tags[.filenameExtension] == ["jpeg", "jpg", "jpe"])
        #expect(UTType.image.tags.isEmpty)
    }

    @Test("A type conforms to itself and to all of its supertypes") func conformance() {
        #expect(UTType.jpeg.conforms(to: .jpeg))
        #expect(UTType.jpeg.conforms(to: .image) && UTType.jpeg.conforms(to: .item))
        #expect(!UTType.image.conforms(to: .jpeg))
        #expect(!UTType.jpeg.isSubtype(of: .jpeg) && UTType.jpeg.isSubtype(of: .data))
        #expect(UTType.image.isSupertype(of: .heic) && !UTType.heic.isSupertype(of: .heic))
        #expect(UTType.heic.conforms(to: .heif))
        #expect(UTType.png.supertypes == [.image, .data, .content, .item])
        #expect(UTType.item.supertypes.isEmpty)
        #expect(UTType.movie.conforms(to: .audiovisualContent) && UTType.audio.conforms(to: .audiovisualContent))
        #expect(!UTType.audio.conforms(to: .movie))
        #expect(UTType.mpeg4Audio.conforms(to: .audio) && UTType.mpeg4Audio.conforms(to: .mpeg4Movie))
        #expect(UTType.commaSeparatedText.conforms(to: .text) && !UTType.commaSeparatedText.conforms(to: .plainText))
    }

    @Test("A type is stored as its identifier") func coding() throws {
        let data = try JSONEncoder().encode([UTType.jpeg, .mpeg4Movie])
        #expect(String(decoding: data, as: UTF8.self) == #"["public.jpeg","public.mpeg-4"]"#)
        #expect(try JSONDecoder().decode([UTType].self, from: data) == [.jpeg, .mpeg4Movie])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([UTType].self, from: Data(#"["no.such.type"]"#.utf8))
        }
    }

    @Test("A URL gets the extension of a type once") func urls() {
        let folder = URL(fileURLWithPath: "/photos", isDirectory: true)
        #expect(folder.appendingPathComponent("1", conformingTo: .jpeg).path == "/photos/1.jpeg")
        #expect(folder.appendingPathComponent("1.jpg", conformingTo: .jpeg).path == "/photos/1.jpg")
        #expect(folder.appendingPathComponent("1.jpg", conformingTo: .png).path == "/photos/1.jpg.png")
        #expect(folder.appendingPathComponent("1", conformingTo: .image).path == "/photos/1")
        var file = folder.appendingPathComponent("movie")
        #expect(file.appendingPathExtension(for: .quickTimeMovie).lastPathComponent == "movie.mov")
        file.appendPathExtension(for: .mpeg4Movie)
        file.appendPathExtension(for: .mpeg4Movie)
        #expect(file.lastPathComponent == "movie.mp4")
    }

    @Test("The file types of AVFoundation are types", arguments: [AVFileType.mov, .mp4, .m4v, .m4a])
    func fileTypes(_ type: AVFileType) throws {
        let found = try #require(UTType(type.rawValue))
        #expect(found.conforms(to: type == .m4a ? .audio : .movie))
        #expect(AVFileType(found.identifier) == type)
        #expect(["mov", "mp4", "m4v", "m4a"].contains(found.preferredFilenameExtension))
    }
}
