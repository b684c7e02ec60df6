// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@Suite(.hangLimit) struct MovieTrackTests {
    private static let tick = MediaTime(value: 1, timescale: 30)

    /// Two cameras, two microphones, two languages of subtitles, chapters and, unless it is Matroska, the path of the
    /// camera.
    private static func tracks(_ suffix: String) -> [MovieTrack] {
        [
            MovieTrack(.video(VideoSettings(frameRate: FrameRate(30))), title: "Speaker"),
            MovieTrack(.video(VideoSettings(frameRate: FrameRate(30))), title: "Slides"),
            MovieTrack(.audio(AudioSettings()), language: "eng", title: "Room"),
            MovieTrack(.audio(AudioSettings()), language: "deu", title: "Interpreter", isDefault: true),
            MovieTrack(.subtitles, language: "eng"),
            MovieTrack(.subtitles, language: "deu", title: "Untertitel", isDefault: true),
            MovieTrack(.chapters),
        ] + (suffix == "mkv" ? [] : [MovieTrack(.location)])
    }

    private static let english = ["Hello,\nworld", "A <b>second</b> one", "The last one"]
    private static let german = ["Grüße", "Straße", "Schluß"]
    private static let chapters = ["Beginning", "Middle – “quoted”"]

    private func seconds(_ value: Double) -> MediaTime { MediaTime(value: Int64(value * 1000), timescale: 1000) }

    /// Two seconds, whose samples are not exactly interleaved.
    private func record(_ suffix: String, _ tracks: [MovieTrack]? = nil) async throws -> String {
        let path = try Recordings.path("movie.\(suffix)")
        let tracks = tracks ?? Self.tracks(suffix)
        let writer = try AssetWriter(path: path, tracks: tracks)
        let start = MediaTime(value: 100, timescale: 1)
        try writer.startSession(at: start)
        for number in 0..<60 {
            let time = start + MediaTime(value: Int64(number), timescale: 30)
            try await writer.append(Recordings.frame(number, at: time, duration: Self.tick), to: 0)
            try await writer.append(
                Recordings.frame(number + 7, at: time, duration: Self.tick, width: 64, height: 48), to: 1)
            for track in 2...3 {
                try await writer.append(Recordings.tone(from: number * 1600, count: 1600, start: start), to: track)
            }
            guard number % 20 == 0 else { continue }
            let index = number / 20
            for (track, texts) in [(4, Self.english), (5, Self.german)] {
                try await writer.append(
                    TimedText(texts[index], at: time + seconds(0.1), duration: seconds(0.5)), to: track)
            }
            if index < 2 { try await writer.append(TimedText(Self.chapters[index], at: time), to: 6) }
            if tracks.count > 7 {
                let place = try GeographicLocation(latitude: 52 + Double(index), longitude: -4.5, altitude: 12.25)
                try await writer.append(
                    TimedLocation(
                        place, at: time, speed: 1.5, date: WallTime(nanosecondsSince1970: 1_772_370_309_250_000_000)),
                    to: 7)
            }
        }
        let report = try await writer.finish()
        #expect(report.videoFrameCount == 120 && abs(report.duration.seconds - 2) < 0.05)
        return path
    }

    /// What ffprobe tells of the tracks and the chapters of a movie.
    private struct Tracks: Decodable {
        struct Stream: Decodable {
            var codec_type: String
            var codec_name: String?
            var codec_tag_string: String
            var width: Int?
            var disposition: [String: Int]
            var tags: [String: String]?

            var title: String? { tags?["title"] ?? tags?["handler_name"] }
            var isDefault: Bool { disposition["default"] == 1 }
        }
        struct Chapter: Decodable {
            var start_time: String
            var end_time: String
            var tags: [String: String]
        }
        var streams: [Stream]
        var chapters: [Chapter]

        init(_ path: String) throws {
            let data = try Tool.run(
                "ffprobe", ["-v", "error", "-show_streams", "-show_chapters", "-of", "json", path])
            self = try JSONDecoder().decode(Self.self, from: data)
        }
    }

    private func expectAll(in path: String, chapterEnd: Double = 2) throws {
        let isMatroska = path.hasSuffix("mkv")
        let probe = try Tracks(path)
        let streams = probe.streams.filter { $0.codec_type != "data" || $0.codec_tag_string == "gpmd" }
        #expect(
            streams.map(\.codec_type)
                == ["video", "video", "audio", "audio", "subtitle", "subtitle"] + (isMatroska ? [] : ["data"]))
        #expect(streams.prefix(2).map(\.width).compactMap(\.self).count == 2)
        #expect(streams.prefix(4).map(\.title) == ["Speaker", "Slides", "Room", "Interpreter"])
        // QuickTime's codes are the older, bibliographic ones of ISO 639-2.
        let german = path.hasSuffix("mov") ? "ger" : "deu"
        #expect(streams[2...5].map { $0.tags?["language"] } == ["eng", german, "eng", german])
        #expect(streams[5].title == "Untertitel")
        #expect(streams[2...5].map(\.isDefault) == [false, true, false, true])
        #expect(probe.chapters.map { $0.tags["title"] } == Self.chapters)
        #expect(probe.chapters.compactMap { Double($0.start_time) }.map { ($0 * 30).rounded() } == [0, 20])
        let end = try #require(probe.chapters.last.flatMap { Double($0.end_time) })
        #expect(abs(end - chapterEnd) < 0.06, "\(end)")
        try Recordings.expectPlays(path, ["-map", "0:v", "-map", "0:a"])
    }

    /// The subtitles of a track, with their times in milliseconds.
    private func subtitles(_ path: String, _ index: Int) throws -> [(begin: Int, end: Int, text: String)] {
        let data = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:s:\(index)", "-f", "srt", "-"])
        let text = String(decoding: data, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
        let blocks = text.components(separatedBy: "\n\n").filter { !$0.isEmpty }
        func milliseconds(_ text: Substring) -> Int {
            let parts = text.split { ":,".contains($0) }.compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
            return ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000 + parts[3]
        }
        return blocks.map { block in
            let lines = block.trimmingCharacters(in: .newlines).split(separator: "\n")
            let times = lines[1].split(separator: "-->")
            return (
                milliseconds(times[0]), milliseconds(Substring(times[1].drop { ">".contains($0) })),
                lines.dropFirst(2).joined(separator: "\n")
            )
        }
    }

    @Test(arguments: ["mp4", "mov", "mkv"])
    func `Two cameras, two microphones, subtitles, chapters and a path are in one movie`(suffix: String) async throws {
        let path = try await record(suffix)
        try expectAll(in: path)
        #expect(try Recordings.neighbours(path) == ["movie.\(suffix)"])
        for (index, texts) in [Self.english, Self.german].enumerated() {
            let found = try subtitles(path, index)
            #expect(found.map(\.text) == texts)
            for (number, subtitle) in found.enumerated() {
                // Frames and audio begin at 0; a subtitle is at its own time.
                #expect(abs(subtitle.begin - (number * 2000 / 3 + 100)) <= 25, "\(subtitle)")
                #expect(abs(subtitle.end - subtitle.begin - 500) <= 2, "\(subtitle)")
            }
        }
    }

    @Test func `Other programs read the tracks`() async throws {
        let path = try await record("mp4")
        let info = String(decoding: try Tool.run("mediainfo", [path]), as: UTF8.self)
        for heading in ["Video #1", "Video #2", "Audio #1", "Audio #2", "Text #1", "Text #2"] {
            #expect(info.contains("\n\(heading)\n"), "\(heading) in \(info)")
        }
        for text in Self.chapters + ["German", "Slides", "Interpreter", "Untertitel"] {
            #expect(info.contains(text), "\(text) in \(info)")
        }
        let fields = ["GPSLatitude", "GPSLongitude", "GPSAltitude", "GPSSpeed", "GPSDateTime", "SampleTime"]
        let format = fields.map { "$\($0)" }.joined(separator: "|")
        let exif = try Tool.run("exiftool", ["-ee", "-n", "-q", "-q", "-p", format, path])
        let lines = String(decoding: exif, as: UTF8.self).split(separator: "\n").map { $0.split(separator: "|") }
        #expect(lines.count == 3, "\(lines)")
        for (number, line) in lines.enumerated() {
            #expect(line.prefix(5).joined(separator: "|") == "\(52 + number)|-4.5|12.25|1.5|2026:03:01 13:05:09.250")
            let time = try #require(line.last.flatMap { Double($0) })
            #expect(abs(time - Double(number) * 2 / 3) < 0.002)
        }
    }

    @Test func `The contents tell of titles, default tracks and chapters`() async throws {
        for suffix in ["mp4", "mkv"] {
            let contents = try MovieContents.read(await record(suffix))
            let streams = contents.streams.filter { $0.kind != .data }
            #expect(streams.map(\.title) == ["Speaker", "Slides", "Room", "Interpreter", nil, "Untertitel"])
            #expect(streams.suffix(4).map(\.isDefault) == [false, true, false, true])
            #expect(contents.chapters.map(\.title) == Self.chapters)
            #expect(abs((contents.chapters.first?.end.seconds ?? 0) - 0.667) < 0.001)
        }
    }

    @Test(arguments: ["mp4", "mov", "mkv"])
    func `After a kill, all tracks are recovered`(suffix: String) async throws {
        let path = try Recordings.path("movie.\(suffix)")
        let partial = path.replacingOccurrences(of: "movie.", with: "movie.recording.")
        let recorder = try BackgroundTool(Tool.product("TestRecorder"), [path, "30", "tracks"])
        try #require(await becomes { CrashTests.reached(recorder) >= 3_000 || !recorder.isRunning })
        #expect(recorder.isRunning, "\(recorder.words)")
        recorder.stop(signal: SIGKILL)
        let before = try Tracks(partial)
        #expect(before.streams.filter { $0.codec_type == "video" }.count == 2)
        let movie = try MovieRecovery.recover(partial).movie
        #expect(try Recordings.neighbours(path) == ["movie.\(suffix)"])
        try Recordings.expectPlays(path, ["-map", "0:v", "-map", "0:a"])
        let kinds: [MovieContents.Stream.Kind] = [.video, .video, .audio, .audio, .subtitle]
        #expect(movie.streams.map(\.kind).prefix(5) == kinds[...])
        #expect(movie.streams.prefix(5).map(\.title) == ["Front", "Back", "Left", "Right", "Captions"])
        #expect(movie.streams[3].isDefault && !movie.streams[2].isDefault && movie.streams[4].language == "eng")
        let texts = try subtitles(path, 0).map(\.text)
        #expect(texts.count >= 2 && texts == (0..<texts.count).map { "Subtitle \($0)" })
        guard suffix != "mkv" else { return }
        #expect(try CrashTests.isFastStart(path))
        #expect(movie.chapters.count >= 2)
        #expect(movie.chapters.map(\.title) == movie.chapters.indices.map { "Chapter \($0)" })
        let exif = try Tool.run("exiftool", ["-ee", "-n", "-p", "$GPSLatitude", "-q", "-q", path])
        let latitudes = String(decoding: exif, as: UTF8.self).split(separator: "\n").compactMap { Double($0) }
        #expect(latitudes.count >= 2 && latitudes == latitudes.indices.map(Double.init))
    }

    @Test func `Chapters and texts of a split movie are in the part of their time`() async throws {
        let path = try Recordings.path("a.mp4")
        let second = path.replacingOccurrences(of: "a.mp4", with: "b.mp4")
        let writer = try AssetWriter(
            path: path,
            tracks: [
                MovieTrack(.video(VideoSettings(frameRate: FrameRate(30)))), MovieTrack(.subtitles),
                MovieTrack(.chapters),
            ])
        try writer.startSession(at: .zero)
        for number in 0..<60 {
            if number == 30 { try writer.split(to: second) }
            let time = MediaTime(value: Int64(number), timescale: 30)
            try await writer.append(Recordings.frame(number, at: time, duration: Self.tick), to: 0)
            guard number % 10 == 5 else { continue }
            try await writer.append(TimedText("text \(number)", at: time, duration: seconds(0.2)), to: 1)
            try await writer.append(TimedText("chapter \(number)", at: time), to: 2)
        }
        try await writer.finish()
        #expect(try subtitles(path, 0).map(\.text) == ["text 5", "text 15", "text 25"])
        #expect(try subtitles(second, 0).map(\.text) == ["text 35", "text 45", "text 55"])
        #expect(abs(try #require(subtitles(second, 0).first).begin - 167) <= 2)
        #expect(try MovieContents.read(path).chapters.map(\.title) == ["chapter 5", "chapter 15", "chapter 25"])
        let chapters = try MovieContents.read(second).chapters
        #expect(chapters.map(\.title) == ["chapter 35", "chapter 45", "chapter 55"])
        // FFmpeg begins the first one with the movie.
        #expect(abs((chapters.last?.start.seconds ?? 0) - 0.833) < 0.001)
    }

    @Test(arguments: ["mp4", "mkv"])
    func `Each video of each part of a split movie begins with a key frame`(suffix: String) async throws {
        let path = try Recordings.path("part0.\(suffix)")
        func part(_ number: Int) -> String { path.replacingOccurrences(of: "part0", with: "part\(number)") }
        let writer = try AssetWriter(
            path: path,
            tracks: [30, 15].map { MovieTrack(.video(VideoSettings(frameRate: FrameRate($0)))) })
        try writer.startSession(at: .zero)
        for number in 0..<90 {
            if number > 0, number % 30 == 0 { try writer.split(to: part(number / 30)) }
            let time = MediaTime(value: Int64(number), timescale: 30)
            try await writer.append(Recordings.frame(number, at: time, duration: Self.tick), to: 0)
            guard number % 2 == 0 else { continue }
            let second = try Recordings.frame(
                number + 7, at: time, duration: MediaTime(value: 1, timescale: 15), width: 64, height: 48)
            try await writer.append(second, to: 1)
        }
        try await writer.finish()
        struct Packets: Decodable {
            struct Packet: Decodable { var flags: String }
            var packets: [Packet]
        }
        for number in 0..<3 {
            for (stream, count) in [(0, 30), (1, 15)] {
                let data = try Tool.run(
                    "ffprobe",
                    [
                        "-v", "error", "-select_streams", "v:\(stream)", "-show_packets", "-of", "json", part(number),
                    ])
                let packets = try JSONDecoder().decode(Packets.self, from: data).packets
                #expect(packets.count == count)
                #expect(packets.first?.flags.hasPrefix("K") == true, "video \(stream) of part \(number)")
            }
            try Recordings.expectPlays(part(number), ["-map", "0:v"])
        }
    }

    @Test func `A text that begins before a segment is cut off, and a pause moves the later ones`() async throws {
        let path = try Recordings.path("a.mp4")
        let writer = try AssetWriter(
            path: path, tracks: [MovieTrack(.video(VideoSettings(frameRate: FrameRate(30)))), MovieTrack(.subtitles)])
        for (start, texts) in [
            (10.0, [(9.8, "early"), (10.5, "first")]), (20.0, [(19.0, "before"), (20.3, "second")]),
        ] {
            try writer.startSession(at: seconds(start))
            for (time, text) in texts {
                try await writer.append(TimedText(text, at: seconds(time), duration: seconds(0.3)), to: 1)
            }
            for number in 0..<30 {
                let time = seconds(start) + MediaTime(value: Int64(number), timescale: 30)
                try await writer.append(Recordings.frame(number, at: time, duration: Self.tick), to: 0)
            }
            try writer.endSession(at: seconds(start + 1))
        }
        try await writer.finish()
        let found = try subtitles(path, 0)
        #expect(found.map(\.text) == ["early", "first", "second"])
        #expect(found.map(\.begin) == [0, 500, 1300] && found.map(\.end) == [100, 800, 1600])
    }

    @Test(arguments: ["mp4", "mkv"])
    func `A text that lasts longer than its segment leaves no gap before the next one`(suffix: String) async throws {
        let path = try Recordings.path("a.\(suffix)")
        let writer = try AssetWriter(
            path: path, tracks: [MovieTrack(.video(VideoSettings(frameRate: FrameRate(30)))), MovieTrack(.subtitles)])
        for start in [10.0, 20.0] {
            try writer.startSession(at: seconds(start))
            for number in 0..<30 {
                let time = seconds(start) + MediaTime(value: Int64(number), timescale: 30)
                try await writer.append(Recordings.frame(number, at: time, duration: Self.tick), to: 0)
            }
            if start == 10 {
                try await writer.append(TimedText("long", at: seconds(10.5), duration: seconds(1.2)), to: 1)
            }
            try writer.endSession()
        }
        try await writer.finish()
        let times = try Probe(path).frames.compactMap { $0.time?.seconds }
        #expect(times.count == 60)
        for (before, next) in zip(times, times.dropFirst()) {
            #expect(abs(next - before - 1.0 / 30) < 0.002, "\(times)")
        }
        #expect(try subtitles(path, 0).map(\.text) == ["long"])
    }

    @Test func `Tracks that no movie can have are refused before anything is written`() throws {
        func code(_ tracks: [MovieTrack], _ name: String = "a.mp4") throws -> ObscuraError.Code? {
            let path = try Recordings.path(name)
            do throws(ObscuraError) {
                _ = try AssetWriter(path: path, tracks: tracks)
                return nil
            } catch {
                #expect(try Recordings.neighbours(path).isEmpty)
                return error.code
            }
        }
        let video = MovieTrack(.video(VideoSettings()))
        #expect(try code([]) == .invalidSettings)
        #expect(try code([MovieTrack(.subtitles)]) == .invalidSettings)
        #expect(try code([video, MovieTrack(.chapters), MovieTrack(.chapters)]) == .invalidSettings)
        #expect(try code([video, MovieTrack(.location)], "a.mkv") == .invalidSettings)
        for language in ["", "en", "eng ", "ENG", "é1", "e\0g"] {
            #expect(try code([video, MovieTrack(.subtitles, language: language)]) == .invalidSettings, "\(language)")
        }
        let long = String(repeating: "x", count: 100_000_000)
        #expect(try code([video, MovieTrack(.subtitles, title: long)]) == .invalidSettings)
        #expect(try code([video, MovieTrack(.subtitles, title: "a\0b")]) == .invalidSettings)
    }

    @Test func `Samples that a track does not take are refused, and the movie goes on`() async throws {
        let path = try Recordings.path("a.mp4")
        let writer = try AssetWriter(
            path: path,
            tracks: [
                MovieTrack(.video(VideoSettings())), MovieTrack(.video(VideoSettings())),
                MovieTrack(.audio(AudioSettings())),
                MovieTrack(.subtitles), MovieTrack(.location),
            ])
        let frame = try Recordings.frame(0, at: .zero, duration: Self.tick)
        let place = try GeographicLocation(latitude: 1, longitude: 2)
        func expectRefusal(_ part: String, _ body: () async throws -> Void) async {
            await #expect("\(part)") { try await body() } throws: {
                guard let error = $0 as? ObscuraError else { return false }
                return error.code == .invalidState && error.description.contains(part)
            }
        }
        await expectRefusal("segment") { try await writer.append(.video(frame), to: 0) }
        try writer.startSession(at: .zero)
        await expectRefusal("2 video tracks") { try await writer.append(.video(frame)) }
        for track in [-1, 5, Int.max] {
            await expectRefusal("none with the index \(track)") { try await writer.append(.video(frame), to: track) }
        }
        await expectRefusal("track 2 (audio) does not take video") { try await writer.append(.video(frame), to: 2) }
        await expectRefusal("track 0 (video) does not take text") {
            try await writer.append(TimedText("x", at: .zero, duration: Self.tick), to: 0)
        }
        await expectRefusal("does not take locations") {
            try await writer.append(TimedLocation(place, at: .zero), to: 3)
        }
        for (text, part) in [
            ("", "empty"), ("a\0b", "zero byte"), (String(repeating: "é", count: 40_000), "80000 bytes"),
        ] {
            await expectRefusal(part) {
                try await writer.append(TimedText(text, at: .zero, duration: Self.tick), to: 3)
            }
        }
        await expectRefusal("duration") { try await writer.append(TimedText("x", at: .zero), to: 3) }
        await expectRefusal("duration") { try await writer.append(TimedText("x", at: .zero, duration: .zero), to: 3) }
        try await writer.append(TimedText("good", at: .zero, duration: seconds(0.5)), to: 3)
        await expectRefusal("at 0.5 s or later") {
            try await writer.append(TimedText("x", at: seconds(0.4), duration: seconds(1)), to: 3)
        }
        try await writer.append(TimedLocation(place, at: seconds(0.1)), to: 4)
        await expectRefusal("track 4 (location) must be") {
            try await writer.append(TimedLocation(place, at: seconds(0.1)), to: 4)
        }
        for track in 0...1 { try await writer.append(.video(frame), to: track) }
        try await writer.append(Recordings.tone(from: 0, count: 4800))
        let longest = String(repeating: "é", count: 32_767) + "e"
        try await writer.append(TimedText(longest, at: seconds(0.5), duration: seconds(0.5)), to: 3)
        try await writer.finish()
        #expect(try subtitles(path, 0).map(\.text) == ["good", longest])
    }

    @Test func `A track of video without frames ends the movie after a minute of other samples`() async throws {
        let path = try Recordings.path("a.mp4")
        let writer = try AssetWriter(
            path: path,
            tracks: [MovieTrack(.video(VideoSettings())), MovieTrack(.video(VideoSettings())), MovieTrack(.subtitles)])
        try writer.startSession(at: .zero)
        try await writer.append(Recordings.frame(0, at: .zero), to: 0)
        await #expect {
            for minute in 0..<200 {
                try await writer.append(
                    TimedText("text \(minute)", at: MediaTime(value: Int64(minute), timescale: 1), duration: Self.tick),
                    to: 2)
            }
            try await writer.finish()
        } throws: {
            guard let error = $0 as? ObscuraError else { return false }
            return error.code == .invalidState && error.description.contains("track 1 (video)")
        }
    }
}
