// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("Broken movies")
struct MovieDamageTests {
    @Test(
        "A cut file gives its whole frames, then an error that says how far it came",
        arguments: [
            "plain.mp4", "plain.mkv", "plain.ts", "cut.avi", "cut.webm",
        ], [0.6, 0.8, 0.97])
    func cutFile(name: String, fraction: Double) throws {
        let source = try TestMovies.h264()
        let path =
            switch name {
            case "plain.mp4": source
            case "cut.avi": try TestMovies.path(name, ["-i", source, "-an", "-c:v", "mjpeg"])
            case "cut.webm": try TestMovies.path(name, ["-i", source, "-an", "-c:v", "libvpx-vp9", "-b:v", "300k"])
            default: try TestMovies.h264(in: String(name.split(separator: ".")[1]))
            }
        let (whole, cut) = (try Reading(path), try Reading(try TestMovies.cut(path, to: fraction)))
        #expect(whole.error == nil)
        let error = try #require(cut.error)
        #expect(error.code == .truncated)
        #expect(error.reason.contains("\(cut.frames.count)"))
        #expect(cut.frames.count > 10 && cut.frames.count <= 50)
        // What was delivered is what the whole file has at the same times.
        let samples = Dictionary(uniqueKeysWithValues: whole.frames.map { ($0.presentationTime, $0.buffer.samples) })
        for frame in cut.frames {
            let expected = try #require(samples[frame.presentationTime])
            #expect(firstDifference(frame.buffer.samples, expected) == nil)
        }
    }

    @Test("A bare stream whose last picture is cut loses that picture", arguments: [0.8, 0.97])
    func cutBareStream(fraction: Double) throws {
        let path = try TestMovies.h264(in: "h264")
        let cut = try Reading(try TestMovies.cut(path, to: fraction))
        #expect(cut.error?.code == .damaged)
        #expect(cut.frames.count > 10)
    }

    @Test("A broken packet in the middle is counted, shown as a gap, and told at the end")
    func brokenPacket() throws {
        let path = try TestMovies.path(
            "intra.mp4", TestMovies.source(rate: "10", seconds: "2") + ["-c:v", "libx264", "-g", "1", "-bf", "0"])
        let places = try Tool.run(
            "ffprobe", ["-v", "error", "-show_entries", "packet=pos", "-of", "csv=p=0", path])
        let positions = String(decoding: places, as: UTF8.self)
            .split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        try #require(positions.count == 20)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The length of the eighth picture's first unit: no picture can be found without it.
        for offset in 0..<4 { bytes[positions[7] + offset] = 0xFF }
        let reader = try MovieReader(try TestMovies.file("broken-packet.mp4", bytes))
        let reading = Reading(reader)
        #expect(reading.frames.count == 19)
        #expect(reader.progress.lost == 1)
        #expect(reading.error?.code == .damaged)
        #expect(reading.frames.map(\.attachments.gap).reduce(0, +) == 1)
        #expect(reading.frames.first { $0.attachments.gap > 0 }?.sequence == 8)
        #expect(reading.frames.last?.sequence == 19)
    }

    @Test("The error comes once; then there are no more frames")
    func errorComesOnce() throws {
        let reader = try MovieReader(try TestMovies.cut(try TestMovies.h264(), to: 0.7))
        #expect(Reading(reader).error != nil)
        #expect(try reader.nextFrame() == nil)
    }

    @Test(
        "A file that is no movie is refused in plain words",
        arguments: [
            ("empty.mp4", "", ObscuraError.Code.unsupportedContainer),
            ("text.mp4", "hello, world\n", .unsupportedContainer),
        ])
    func noMovie(name: String, content: String, code: ObscuraError.Code) throws {
        let path = try TestMovies.file(name, Data(content.utf8))
        let error = #expect(throws: ObscuraError.self) { try MovieReader(path) }
        #expect(error?.code == code)
        #expect(error?.subject == path)
    }

    @Test("A file with sound only is refused as such, also with a cover")
    func soundOnly() throws {
        let sound = try TestMovies.path("sound.m4a", ["-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac"])
        #expect(#expect(throws: ObscuraError.self) { try MovieReader(sound) }?.code == .noVideo)
        let cover = try TestMovies.path("cover.png", TestMovies.source(seconds: "1") + ["-frames:v", "1"])
        let album = try TestMovies.path(
            "album.mp3", ["-i", sound, "-i", cover, "-map", "0", "-map", "1", "-c:a", "libmp3lame", "-c:v", "copy"])
        #expect(#expect(throws: ObscuraError.self) { try MovieReader(album) }?.code == .noVideo)
    }

    @Test("A missing file, a folder and a device are told apart")
    func noFile() {
        #expect(#expect(throws: ObscuraError.self) { try MovieReader("/nowhere/a.mp4") }?.code == .notFound)
        #expect(#expect(throws: ObscuraError.self) { try MovieReader("/usr") }?.reason.contains("folder") == true)
        #expect(#expect(throws: ObscuraError.self) { try MovieReader("/dev/zero") }?.reason.contains("device") == true)
    }

    /// A file that can be opened, whose reads fail.
    private static let failing = "/sys/class/net/lo/duplex"

    @Test(
        "A file that cannot be read is not called a file of another kind",
        .enabled(if: FileManager.default.fileExists(atPath: failing)))
    func unreadable() {
        let error = #expect(throws: ObscuraError.self) { try MovieReader(Self.failing) }
        #expect(error?.code == .unreadable && error?.errno == EINVAL)
    }

    @Test("A picture beyond the limit is refused")
    func tooLarge() throws {
        var options = MovieReadingOptions()
        options.maximumSize = PixelSize(width: 100, height: 100)
        let path = try TestMovies.h264()
        let error = #expect(throws: ObscuraError.self) { try MovieReader(path, options: options) }
        #expect(error?.code == .tooLarge)
    }

    @Test("A limit may be larger than any picture", arguments: [100_000, Int.max])
    func noLimit(side: Int) throws {
        var options = MovieReadingOptions()
        options.maximumSize = PixelSize(width: side, height: side)
        let reader = try MovieReader(try TestMovies.h264(), options: options)
        #expect(try reader.nextFrame() != nil)
    }

    @Test("A sound stream that ends early is no damage of the pictures")
    func shortSound() throws {
        let path = try TestMovies.path(
            "short-sound.mp4",
            TestMovies.source() + ["-f", "lavfi", "-i", "sine=d=0.3", "-c:v", "libx264", "-c:a", "aac"])
        let reading = try Reading(path)
        #expect(reading.error == nil)
        #expect(reading.frames.count == 50)
    }
}
