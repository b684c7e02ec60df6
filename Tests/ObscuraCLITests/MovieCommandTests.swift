// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraDrivers
import TestSupport
import Testing

@testable import ObscuraCLI

/// `obscura info` and `obscura recover`, on movies that the library wrote.
@Suite(.hangLimit) struct MovieCommandTests {
    private let folder: TemporaryFolder
    private let obscura: Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = Tool(folder: folder)
    }

    /// A second of the built-in camera, or what a crash leaves of three.
    private func record(_ name: String, isBrokenOff: Bool = false) async throws {
        var options = AssetWriter.Options()
        options.metadata.title = "A bar\u{1b}[2J that moves"
        options.metadata.location = try GeographicLocation(latitude: -33.5, longitude: 151.25)
        options.metadata.date = WallTime(nanosecondsSince1970: 0, secondsFromUTC: -3_600)
        let writer = try AssetWriter(
            path: folder(name), video: VideoSettings(frameRate: FrameRate(10)), audio: AudioSettings(),
            options: options)
        let scene = try PatternScene(size: PixelSize(width: 160, height: 120))
        try writer.startSession(at: .zero)
        for number in 0..<(isBrokenOff ? 30 : 10) {
            let time = MediaTime(value: Int64(number), timescale: 10)
            let picture = try scene.draw(sequence: UInt64(number), time: time)
            try await writer.append(VideoFrame(buffer: picture, presentationTime: time, hostTime: .now))
            try await writer.append(
                AudioBuffer(
                    format: AudioFormat(), samples: .float32([Float](repeating: 0, count: 9_600)),
                    presentationTime: time, hostTime: .now, position: UInt64(number) * 4_800))
        }
        if !isBrokenOff { try await writer.finish() }
    }

    @Test("A movie's streams and metadata are shown as a table, and as JSON")
    func info() async throws {
        try await record("movie.mp4")
        let table = try await obscura("info", "movie.mp4")
        #expect(table.code == 0 && table.errors.isEmpty)
        for words in [
            "video h264 (High) 160x120 at 10, yuv420p bt601 limited, 10 frames", "audio aac (LC) 48000 Hz, 2 channels",
            "title", "A bar [2J that moves", "-33.5, 151.25", "1969-12-31T23:00:00.000-01:00", "1.0 s",
        ] {
            #expect(table.text.contains(words), "\(words) in \(table.text)")
        }
        #expect(!table.text.contains("\u{1b}"))
        let json = try await obscura("info", "movie.mp4", "--json")
        let listing = try JSONDecoder().decode(MovieListing.self, from: Data(json.output))
        #expect(listing.streams.map(\.codec) == ["h264", "aac"] && listing.streams[0].frameCount == 10)
        #expect(listing.metadata["title"] == "A bar\u{1b}[2J that moves")
        #expect(listing.location?.latitude == -33.5 && listing.location?.longitude == 151.25)
        #expect(listing.container == "mp4" && listing.metadata["location"] == nil)
        #expect(listing.byteCount == Int64(try folder.bytes(of: "movie.mp4").count))
    }

    @Test("What cannot be shown is one sentence, and the code 1")
    func noInfo() async throws {
        try Data("no movie".utf8).write(to: URL(fileURLWithPath: folder("text.mp4")))
        for name in ["nothing.mp4", "text.mp4"] {
            let outcome = try await obscura("info", name)
            #expect(outcome.code == 1 && outcome.output.isEmpty && outcome.errors.hasPrefix("obscura: \(name): "))
        }
        #expect(try await obscura("info").code == 64)
    }

    @Test("A partial file, or all of a folder, is recovered, and what is not has the code 1")
    func recover() async throws {
        let files = FileManager.default
        try await record("movie.mp4")
        try files.moveItem(atPath: folder("movie.mp4"), toPath: folder("movie.recording.mp4"))
        let one = try await obscura("recover", "movie.recording.mp4")
        #expect(
            one.code == 0 && one.text == "movie.mp4: recovered, 1.0 s; movie.recording.mp4 is removed\n",
            "\(one.text)\(one.errors)")
        #expect(folder.names() == ["movie.mp4"])
        let nothing = try await obscura("recover", ".")
        #expect(nothing.code == 0 && nothing.text == ".: nothing to recover.\n")
        let other = try await obscura("recover", "movie.mp4")
        #expect(other.code == 1 && other.errors.contains("--output"))
        #expect(try await obscura("recover", "movie.mp4", "--output", "copy.mp4").code == 0)
        #expect(folder.names() == ["copy.mp4", "movie.mp4"])
        try files.removeItem(atPath: folder("movie.mp4"))
        try files.copyItem(atPath: folder("copy.mp4"), toPath: folder("a.recording.mp4"))
        try files.copyItem(atPath: folder("copy.mp4"), toPath: folder("copy.recording.mp4"))
        let all = try await obscura("recover", ".")
        #expect(all.code == 1 && all.text == "./a.mp4: recovered, 1.0 s; ./a.recording.mp4 is removed\n")
        #expect(all.errors.contains("copy.mp4: it exists already") && all.errors.contains("--overwrite"))
        #expect(try await obscura("recover", ".", "--overwrite").code == 0)
        #expect(folder.names() == ["a.mp4", "copy.mp4"])
        #expect(try await obscura("recover", ".", "--output", "b.mp4").code == 64)
    }

    @Test("What is damaged in the middle is kept, and it is said how much could not be read")
    func damaged() async throws {
        try await record("movie.mp4", isBrokenOff: true)
        // The writer's thread may still hold it.
        let free = try await obscura.shell("flock movie.recording.mp4 true")
        #expect(free.code == 0)
        var data = Data(try folder.bytes(of: "movie.recording.mp4"))
        // The index of a fragment, and what is before it.
        let first = try #require(data.range(of: Data("moof".utf8)))
        let second = try #require(data.range(of: Data("moof".utf8), in: first.upperBound..<data.endIndex))
        data.replaceSubrange(second.lowerBound - 50..<second.upperBound + 50, with: repeatElement(7, count: 104))
        try data.write(to: URL(fileURLWithPath: folder("movie.recording.mp4")))
        let named = try await obscura("recover", "movie.recording.mp4", "--output", "other.mp4")
        #expect(named.code == 1 && named.text.hasSuffix("movie.recording.mp4 is kept\n"), "\(named.text)")
        let outcome = try await obscura("recover", "movie.recording.mp4")
        #expect(outcome.code == 1 && outcome.text.hasSuffix("; movie.recording.mp4 is kept\n"), "\(outcome.text)")
        #expect(outcome.errors.hasPrefix("obscura: movie.recording.mp4: the file is damaged; "), "\(outcome.errors)")
        #expect(outcome.errors.contains(" bytes after 0.") && outcome.errors.hasSuffix(" s could not be read.\n"))
        #expect(folder.names() == ["movie.mp4", "movie.recording.mp4", "other.mp4"])
        let missing = try await obscura("recover", "k/nothere.mp4")
        #expect(missing.code == 1 && missing.errors == "obscura: k/nothere.mp4: there is no such file.\n")
    }

    @Test("What is being recorded is left alone, and is no failure")
    func beingRecorded() async throws {
        let writer = try AssetWriter(path: folder("now.mp4"))
        let outcome = try await obscura("recover", ".")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.text == "./now.recording.mp4: still being recorded; skipped\n")
        #expect(try await obscura("recover", "now.recording.mp4").code == 1)
        await writer.cancel()
    }

    @Test("A rate is shown as a number, and one frame is not many")
    func rates() async throws {
        let film = try await obscura.shell(
            "ffmpeg -v error -f lavfi -i testsrc=s=64x64:r=30000/1001 -frames:v 1 -c:v mjpeg -pix_fmt yuvj420p ntsc.mov"
        )
        #expect(film.code == 0, "\(film.errors)")
        let text = try await obscura("info", "ntsc.mov").text
        #expect(text.contains(" at 29.97, ") && text.contains(", 1 frame,"), "\(text)")
        #expect(text.split(separator: "\n").contains { $0.hasPrefix("container ") && $0.hasSuffix(" mov") }, "\(text)")
    }
}
