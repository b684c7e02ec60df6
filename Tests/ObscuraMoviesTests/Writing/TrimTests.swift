// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

/// Parts of movies: which frames they have, what they say of themselves, and what remains after an error.
@Suite(.hangLimit) struct TrimTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func time(_ milliseconds: Int64) -> MediaTime { MediaTime(value: milliseconds, timescale: 1000) }

    /// The bytes of all frames of a movie.
    private static func frames(_ path: String) throws -> [[UInt8]] {
        let reader = try MovieReader(path, options: MovieReadingOptions(), control: ReadControl())
        var frames: [[UInt8]] = []
        while let frame = try reader.nextFrame() { frames.append(frame.buffer.packedBytes()) }
        return frames
    }

    /// 50 frames at 25 per second with B-frames, and a key frame at each twelfth.
    @Test(arguments: [(0, 400), (480, 1000), (600, 1400), (1240, 2000), (1960, 2000), (520, 560)])
    func anMP4BeginsAtTheExactFrame(start: Int64, end: Int64) async throws {
        let source = try TestMovies.h264()
        let part = try await MovieTrimmer.trim(
            source, from: Self.time(start), to: Self.time(end), into: folder("part.mp4"))
        #expect(part.start == Self.time(start))
        let whole = try Self.frames(source)
        let frames = try Self.frames(folder("part.mp4"))
        let (first, last) = (Int(start) / 40, Int(end) / 40)
        // Frames that others depend on may follow the end: at most as many as the reordering takes.
        #expect((last - first...last - first + 3).contains(frames.count))
        #expect(Array(frames.prefix(last - first)) == Array(whole[first..<last]))
        // As another player reads it.
        let probe = try Tool.run(
            "ffprobe",
            [
                "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                "stream=nb_read_frames,codec_name",
                "-of", "csv=p=0", folder("part.mp4"),
            ])
        let words = String(decoding: probe, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(words == "h264,\(frames.count)")
        let audio = try #require(part.movie.streams.first { $0.kind == .audio }?.duration)
        #expect(abs(audio.seconds - Double(end - start) / 1000) < 0.1)
        #expect(try #require(part.movie.duration).seconds < Double(end - start) / 1000 + 0.2)
    }

    @Test func aMatroskaFileBeginsAtTheKeyFrame() async throws {
        let source = try TestMovies.h264(in: "mkv")
        let part = try await MovieTrimmer.trim(source, from: Self.time(1200), into: folder("part.mkv"))
        // Frame 24.
        #expect(part.start == Self.time(960))
        #expect(try Self.frames(folder("part.mkv")) == Array(try Self.frames(source)[24...]))
        // The same packets in another container.
        let other = try await MovieTrimmer.trim(source, from: Self.time(1200), into: folder("part.mov"))
        #expect(other.start == Self.time(1200))
        #expect(try Self.frames(folder("part.mov")) == Array(try Self.frames(source)[30...]))
    }

    @Test func aPartOfAPartIsExact() async throws {
        let source = try TestMovies.h264()
        _ = try await MovieTrimmer.trim(source, from: Self.time(600), into: folder("one.mp4"))
        _ = try await MovieTrimmer.trim(folder("one.mp4"), from: Self.time(200), into: folder("two.mp4"))
        #expect(try Self.frames(folder("two.mp4")) == Array(try Self.frames(source)[20...]))
    }

    @Test func tagsAndChaptersAreKept() async throws {
        var metadata = Metadata()
        metadata.title = "A film"
        metadata.location = try GeographicLocation(latitude: 48, longitude: 11)
        let chapters = try folder.write(
            "chapters.txt",
            """
            ;FFMETADATA1
            title=A film
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=1000
            title=One
            [CHAPTER]
            TIMEBASE=1/1000
            START=1000
            END=2000
            title=Two
            """)
        try Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-i", TestMovies.h264(), "-i", chapters, "-map_metadata", "1", "-c", "copy",
                folder("film.mp4"),
            ])
        let part = try await MovieTrimmer.trim(
            folder("film.mp4"), from: Self.time(500), to: Self.time(1500), into: folder("part.mp4"))
        #expect(part.movie.metadata.title == "A film")
        #expect(part.movie.chapters.map(\.title) == ["One", "Two"])
        #expect(part.movie.chapters.map { ($0.start.seconds * 10).rounded() } == [0, 5])
    }

    /// A text from 0.3 to 1.6 s, and audio in pieces of a second before the frames of each.
    @Test(arguments: ["mov", "mkv"]) func textsAndAudioAreThoseOfThePart(container: String) async throws {
        let texts = try folder.write("texts.srt", "1\n00:00:00,300 --> 00:00:01,600\nA text\n")
        try Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "sine=d=2", "-i", TestMovies.h264(), "-i", texts, "-map", "0:a",
                "-map", "1:v", "-map", "2:s", "-c:v", "copy", "-c:a", "aac", "-c:s",
                container == "mov" ? "mov_text" : "srt", "-max_interleave_delta", "0", folder("film.\(container)"),
            ])
        let part = try await MovieTrimmer.trim(
            folder("film.\(container)"), from: Self.time(960), to: Self.time(1500), into: folder("part.\(container)"))
        #expect(part.omittedStreamCount == 0)
        let words = try Tool.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "packet=codec_type,pts_time,duration_time", "-of", "csv=p=0",
                folder("part.\(container)"),
            ])
        let packets = String(decoding: words, as: UTF8.self).split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        func times(_ kind: String) -> [Double] { packets.filter { $0[0] == kind }.compactMap { Double($0[1]) } }
        let (audio, subtitle) = (times("audio"), times("subtitle"))
        #expect(abs(try #require(times("video").filter { $0 >= 0 }.min())) < 0.03)
        // Without a gap at the beginning.
        #expect(try #require(audio.filter { $0 >= 0 }.min()) < 0.05)
        #expect(try #require(audio.max()) < 0.6)
        #expect(abs(try #require(subtitle.first)) < 0.01)
        let duration = try #require(packets.first { $0[0] == "subtitle" }.flatMap { Double($0[2]) })
        #expect(abs(duration - 0.54) < 0.02)
        #expect(try #require(part.movie.duration).seconds < 0.75)
    }

    @Test func whatCannotBeTrimmedLeavesNothing() async throws {
        let source = try TestMovies.h264()
        func code(_ from: Int64, _ to: Int64?, _ name: String, _ file: String? = nil) async -> ObscuraError.Code? {
            do throws(ObscuraError) {
                _ = try await MovieTrimmer.trim(
                    file ?? source, from: Self.time(from), to: to.map(Self.time), into: folder(name))
                return nil
            } catch {
                return error.code
            }
        }
        #expect(await code(1000, 1000, "part.mp4") == .invalidRequest)
        #expect(await code(-1, nil, "part.mp4") == .invalidRequest)
        #expect(await code(5000, nil, "part.mp4") == .invalidRequest)
        #expect(await code(0, 500, "part.txt") == .invalidSettings)
        #expect(await code(0, 500, "missing/part.mp4") == .notWritable)
        #expect(await code(0, 500, "part.mp4", folder("missing.mp4")) == .notFound)
        #expect(await code(0, 500, "part.mp4", try? folder.write("text.mp4", "no movie")) != nil)
        try Tool.run("cp", [source, folder("own.mp4")])
        await #expect(throws: ObscuraError.self) {
            try await MovieTrimmer.trim(
                folder("own.mp4"), from: .zero, to: Self.time(500), into: folder("own.mp4"), overwrites: true)
        }
        #expect(try folder.bytes(of: "own.mp4").count == Data(contentsOf: URL(fileURLWithPath: source)).count)
        try FileManager.default.removeItem(atPath: folder("own.mp4"))
        _ = try folder.write("there.mp4", "kept")
        #expect(await code(0, 500, "there.mp4") == .fileExists)
        #expect(try folder.text(of: "there.mp4") == "kept")
        let task = Task { [folder] in
            try await MovieTrimmer.trim(source, from: .zero, to: Self.time(500), into: folder("part.mp4"))
        }
        task.cancel()
        if case .failure(let error) = await task.result { #expect((error as? ObscuraError)?.code == .cancelled) }
        #expect(folder.names().allSatisfy { ["text.mp4", "there.mp4", "part.mp4"].contains($0) })
    }
}
