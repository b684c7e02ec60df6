// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraCLI

@Suite("obscura record", .needsFFmpeg, .hangLimit) struct RecordTests {
    private let folder: TemporaryFolder
    private let obscura: Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = Tool(folder: folder)
    }

    private func command(_ arguments: String...) throws -> RecordCommand {
        try RecordCommand.parse(arguments)
    }

    @Test("The built-in camera and microphone become a movie that says what it was told")
    func movie() async throws {
        let outcome = try await obscura(
            "record", "pattern:350x96@30", "--duration", "1s", "-o", "a.mp4", "--title", "Here",
            "--location", "52.1,4.3")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("30 frames") && outcome.errors.contains("to a.mp4"), "\(outcome.errors)")
        #expect(folder.names(in: ".") == ["a.mp4"])
        let info = try await obscura("info", "a.mp4", "--json")
        let listing = try JSONDecoder().decode(MovieListing.self, from: Data(info.output))
        #expect(listing.streams.map(\.kind) == ["video", "audio"] && listing.metadata["title"] == "Here")
        #expect(abs((listing.duration ?? 0) - 1) < 0.05)
    }

    @Test func `A trace of a recording is played back, with the same movie each time`() async throws {
        let outcome = try await obscura(
            "record", "pattern:350x96@30", "--duration", "1s", "-o", "a.mp4", "--trace", "a.trace")
        #expect(outcome.code == 0 && outcome.errors.contains("Trace: a.trace"), "\(outcome.errors)")
        for name in ["b.mp4", "c.mp4"] {
            let replay = try await obscura("record", "replay:a.trace", "-o", name)
            #expect(replay.code == 0, "\(replay.errors)")
        }
        #expect(try folder.bytes(of: "b.mp4") == folder.bytes(of: "c.mp4"))
        let contents = try MovieContents.read(folder("b.mp4"))
        #expect(contents.streams.count == 2)
        // Not again over the same file, and nothing is recorded then.
        let again = try await obscura("record", "pattern", "-o", "d.mp4", "--duration", "1s", "--trace", "a.trace")
        #expect(again.code == 1 && again.errors.contains("a.trace"), "\(again.errors)")
        #expect(!folder.names(in: ".").contains("d.mp4"))
        #expect(try await obscura("record", "pattern", "-o", "d.mp4", "--trace-pictures").code == 64)
        let wrong = try await obscura("record", "replay:a.mp4", "-o", "d.mp4")
        #expect(wrong.code == 1 && wrong.errors.contains("not a trace"), "\(wrong.errors)")
        let frames = try await obscura(
            "extract", "replay:a.trace", "-o", "%d.png", "--count", "2", "--trace", "x.trace")
        #expect(frames.code == 0 && folder.names(in: ".").contains("x.trace"), "\(frames.errors)")
    }

    @Test func `Statistics tell what became of each frame, and how long it took`() async throws {
        let outcome = try await obscura(
            "record", "pattern:350x96@30", "--duration", "1s", "-o", "a.mp4", "--quiet", "--stats", "json")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let statistics = try JSONDecoder().decode(RecordingStatistics.self, from: Data(outcome.output))
        #expect(statistics.ending == "maximumDuration" && statistics.error == nil)
        #expect(statistics.parts.map(\.path) == ["a.mp4"] && statistics.parts.map(\.frames) == [30])
        #expect(statistics.gaps.isEmpty && statistics.cameraSwitches.isEmpty && statistics.keyFrameWaits.isEmpty)
        let reader = try #require(statistics.video.reader)
        #expect(
            reader.offered
                == reader.delivered + (reader.dropped["total"] ?? 0) + reader.skipped + reader.waiting + reader.inHand)
        for media in [statistics.video, statistics.audio] {
            let (encoded, written) = (try #require(media.delays["encoded"]), try #require(media.delays["written"]))
            #expect(encoded.count == written.count && encoded.p50 <= written.p50 && media.reader != nil)
        }
        #expect(statistics.video.delays["written"]?.count == 30 && statistics.video.stages["capture"] != nil)
    }

    @Test("Metadata of one's own is written, and the date and the software are left out on request")
    func metadata() async throws {
        func metadata(_ arguments: String...) async throws -> [String: String] {
            let outcome = try await obscura(
                ["record", "pattern:350x96@30", "--duration", "100ms", "-q", "--overwrite", "-o", "a.mp4"] + arguments)
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            let info = try await obscura("info", "a.mp4", "--json")
            return try JSONDecoder().decode(MovieListing.self, from: Data(info.output)).metadata
        }
        let own = try await metadata(
            "--metadata", "project=Atlas = 1", "--metadata", "Author=Ada", "--title", "T", "--keyword", "a",
            "--keyword", "b c", "--metadata", "Title-DEU=Titel")
        #expect(own["project"] == "Atlas = 1" && own["author"] == "Ada" && own["title"] == "T")
        #expect(own["keywords"] == "a, b c" && own["title-deu"] == "Titel")
        #expect(own["software"] == "Obscura \(ObscuraBuild.version)" && own["date"] != nil)
        #expect(try await metadata("--no-metadata", "--metadata", "project=x") == ["project": "x"])
        let two = try await obscura("record", "pattern", "-o", "b.mp4", "--metadata", "title-de=Titel")
        #expect(two.code == 64 && two.errors.contains("as three letters"), "\(two.errors)")
        let wrong = try await obscura("record", "pattern", "-o", "b.mp4", "--metadata", "=x")
        #expect(wrong.code == 64 && wrong.errors.contains("=x is not a metadata item."), "\(wrong.errors)")
    }

    @Test func `With copy, a film is not encoded, and options that change frames are refused`()
        async throws
    {
        let path = try TestMovies.h264()
        let outcome = try await obscura("record", path, "--copy", "-o", "a.mp4")
        #expect(outcome.code == 0 && outcome.errors.contains("copied without encoding"), "\(outcome.errors)")
        #expect(outcome.errors.contains("50 frames, 0 dropped"), "\(outcome.errors)")
        let pattern = try await obscura("record", "pattern", "--copy", "-o", "b.mp4")
        #expect(pattern.code == 1 && pattern.errors.contains("cannot be copied"), "\(pattern.errors)")
        for option in [
            ["--size", "64x36"], ["--codec", "h264"], ["--bitrate", "1M"], ["--mirror"], ["--quality", "1"],
        ] {
            let wrong = try await obscura(["record", path, "--copy", "-o", "c.mp4"] + option)
            #expect(wrong.code == 64 && wrong.errors.contains("cannot be combined with --copy"), "\(wrong.errors)")
        }
        #expect(folder.names(in: ".") == ["a.mp4"])
    }

    @Test func `Several microphones are mixed, with their gains`() async throws {
        let outcome = try await obscura(
            "record", "pattern:350x96@30", "--duration", "500ms", "-o", "a.mp4", "--microphone", "tone:440",
            "--microphone", "tone:1000", "--gain", "0.5", "--gain", "2")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try MovieContents.read(folder("a.mp4")).streams.count == 2)
        for wrong in [
            ["--gain", "2"], ["--microphone", "none", "--microphone", "tone"],
            ["--microphone", "tone", "--gain", "-1"], ["--microphone", "none", "--gain", "1"],
        ] {
            #expect(try await obscura(["record", "pattern", "-o", "b.mp4"] + wrong).code == 64, "\(wrong)")
        }
        let twice = try await obscura(
            "record", "pattern", "-o", "b.mp4", "--microphone", "tone", "--microphone", "tone")
        #expect(twice.code == 1 && twice.errors.contains("more than once"), "\(twice.errors)")
    }

    @Test func `a movie with a microphone beside it ends with the movie`() async throws {
        let path = try TestMovies.path("short.mp4", TestMovies.source() + ["-t", "0.5"])
        let outcome = try await obscura("record", path, "--microphone", "tone", "-o", "a.mp4")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let info = try await obscura("info", "a.mp4", "--json")
        let listing = try JSONDecoder().decode(MovieListing.self, from: Data(info.output))
        #expect(listing.streams.map(\.kind) == ["video", "audio"])
        #expect(listing.duration ?? 0 > 0.4, "\(listing.duration ?? 0)")
    }

    @Test("Ctrl-C makes an ordinary movie, and ends with 130")
    func interruption() async throws {
        let outcome = try await obscura.shell(
            """
            "$OBSCURA" record pattern:350x96@30 --microphone none -o b.mkv & tool=$!
            # The head alone has less.
            until [ "$(stat -c %s b.recording.mkv 2> /dev/null || echo 0)" -gt 2000 ]; do read -rt 0.02 <> <(:); done
            kill -INT $tool; wait $tool
            """)
        #expect(outcome.code == 130 && folder.names(in: ".") == ["b.mkv"], "\(outcome.errors)")
        let info = try await obscura("info", "b.mkv", "--json")
        let listing = try JSONDecoder().decode(MovieListing.self, from: Data(info.output))
        #expect(listing.streams.map(\.kind) == ["video"])
    }

    @Test("Ctrl-\\\\ ends it at once, also where Swift would write a backtrace")
    func quit() async throws {
        let outcome = try await obscura.shell(
            """
            ulimit -c 0; export SWIFT_BACKTRACE=enable=yes
            "$OBSCURA" record pattern:350x96@30 --microphone none -o b.mkv & tool=$!
            until [ -e b.recording.mkv ]; do :; done
            kill -QUIT $tool; wait $tool
            """)
        #expect(outcome.code == 131 && !outcome.errors.contains("Thread 0"), "\(outcome.errors)")
    }

    @Test("Whoever ends it as soon as its file is there leaves no empty one behind")
    func earlyEnd() async throws {
        let outcome = try await obscura.shell(
            """
            for attempt in 1 2 3 4 5 6 7 8 9 10; do
                "$OBSCURA" record pattern:350x96@30 --microphone none -o b.mp4 & tool=$!
                until [ -e b.recording.mp4 ] || [ -e b.mp4 ]; do :; done
                kill -TERM $tool; wait $tool; echo $?; rm -f b.mp4
            done
            """)
        #expect(outcome.text == String(repeating: "143\n", count: 10), "\(outcome.text) \(outcome.errors)")
        #expect(folder.names().isEmpty)
    }

    @Test("Frames that are missing because the process was stopped are told of")
    func gaps() async throws {
        let outcome = try await obscura.shell(
            """
            size() { stat -c %s b.recording.mkv 2> /dev/null || echo 0; }
            "$OBSCURA" record pattern:350x96@30 --microphone none -o b.mkv & tool=$!
            until [ "$(size)" -gt 2000 ]; do read -rt 0.02 <> <(:); done
            # Longer than the camera makes up for; nothing happens meanwhile that could be waited for.
            kill -STOP $tool; read -rt 2 <> <(:); kill -CONT $tool
            before=$(size); until [ "$(size)" -gt $before ]; do read -rt 0.02 <> <(:); done
            kill -INT $tool; wait $tool
            """)
        #expect(outcome.code == 130)
        #expect(outcome.errors.contains(/, [1-9][0-9]* lost by the camera,/), "\(outcome.errors)")
    }

    @Test("A terminal that is closed ends it as Ctrl-C does, with 129; who ignores that, records on")
    func closedTerminal() async throws {
        let outcome = try await obscura.shell(
            """
            "$OBSCURA" record pattern:350x96@30 --microphone none -o b.mkv & tool=$!
            until [ "$(stat -c %s b.recording.mkv 2> /dev/null || echo 0)" -gt 2000 ]; do read -rt 0.02 <> <(:); done
            kill -HUP $tool; wait $tool
            """)
        #expect(outcome.code == 129 && folder.names(in: ".") == ["b.mkv"], "\(outcome.errors)")
        let other = try await obscura.shell(
            """
            rm b.mkv; trap '' HUP
            "$OBSCURA" record pattern:350x96@30 --microphone none --duration 1s -o b.mkv & tool=$!
            until [ -s b.recording.mkv ]; do read -rt 0.02 <> <(:); done
            kill -HUP $tool; wait $tool
            """)
        // A busy machine may lose frames.
        #expect(other.code == 0 && other.errors.contains(" frames"), "\(other.errors)")
    }

    @Test("Folders that are missing are made, and what cannot be made is named as it was given")
    func folders() async throws {
        let made = try await obscura("record", "pattern:350x96@30", "--duration", "100ms", "-o", "a/b/m.mp4")
        #expect(made.code == 0 && folder.names(in: "a/b") == ["m.mp4"], "\(made.errors)")
        _ = try await obscura.shell("mv a/b/m.mp4 m.recording.mp4; echo > file")
        for command in [["record", "pattern", "-o"], ["recover", "m.recording.mp4", "--output"]] {
            let outcome = try await Tool.run([Tool.path] + command + ["file/x.mp4"], in: folder)
            #expect(outcome.code == 1 && outcome.errors.hasPrefix("obscura: file/x.mp4: "), "\(outcome.errors)")
        }
        let recovered = try await obscura("recover", "m.recording.mp4", "--output", "c/d.mp4")
        #expect(recovered.code == 0 && folder.names(in: "c") == ["d.mp4"], "\(recovered.errors)")
    }

    @Test("A disk with too little room is told of before anything is recorded, and the limit can be set")
    func freeSpace() async throws {
        let outcome = try await obscura("record", "pattern", "--min-free", "1000000T", "-o", "a.mp4")
        #expect(outcome.code == 1 && folder.names(in: ".").isEmpty)
        #expect(outcome.errors.contains("a.mp4: less than 1000000.0 TB of disk space is free"), "\(outcome.errors)")
        #expect(outcome.errors.contains("--min-free") && !outcome.errors.contains("minFreeDiskSpace"))
        let free = try await obscura(
            "record", "pattern:350x96@30", "--min-free", "0", "--duration", "100ms", "-o", "a.mp4")
        #expect(free.code == 0, "\(free.errors)")
    }

    @Test("A part that exists already is kept, the part before continues, and the code is 1")
    func partExists() async throws {
        _ = try await obscura.shell("echo mine > p-2.mp4")
        let outcome = try await obscura(
            "record", "pattern:350x96@30", "--split", "1s", "--duration", "1500ms", "-o", "p-%d.mp4", "-q")
        #expect(outcome.code == 1 && outcome.errors.contains("p-2.mp4: it exists already."), "\(outcome.errors)")
        #expect(try folder.text(of: "p-2.mp4") == "mine\n" && folder.names(in: ".") == ["p-1.mp4", "p-2.mp4"])
    }

    @Test("What is said has the words of the command line, and not those of the API")
    func words() async throws {
        _ = try await obscura.shell("echo mine > a.mp4; echo mine > 'b c.recording.mp4'")
        let taken = try await obscura("record", "pattern", "-o", "a.mp4")
        #expect(taken.errors.hasSuffix("replace the file with --overwrite.\n"), "\(taken.errors)")
        let rest = try await obscura("record", "pattern", "-o", "b c.mp4")
        #expect(rest.errors.hasSuffix("with: obscura recover 'b c.recording.mp4'.\n"), "\(rest.errors)")
        let bound = try await obscura(
            "record", "pattern:350x96@30", "--codec", "hevc", "--no-gpl", "--duration", "100ms", "-o", "d.mp4")
        // Some machines have an encoder that is not under the GPL.
        #expect(bound.code == 0 || bound.errors.contains("--no-gpl"), "\(bound.errors)")
        #expect(!bound.errors.contains("allowsGPL") && !bound.errors.contains("EncoderPolicy"))
    }

    @Test("Odd sides are told of, and negative places need no sign between")
    func oddAndNegative() throws {
        let odd = try command("--size", "641x361").videoSettings()
        #expect(odd.sizeNote?.hasPrefix("641x361 becomes 640x360: ") == true)
        #expect(try command("--size", "640x360").videoSettings().sizeNote == nil)
        #expect(try command("--size", "641x361", "--codec", "mjpeg").videoSettings().sizeNote == nil)
        let place = try command("--location", "-33.86,-151.2,-4", "--language", "DEU").writerOptions.metadata
        #expect(place.location == (try GeographicLocation(latitude: -33.86, longitude: -151.2, altitude: -4)))
        #expect(place.language == "deu")
    }

    @Test("Parts have numbers, and a photo's facts are shown like a movie's")
    func parts() async throws {
        let outcome = try await obscura(
            "record", "pattern:350x96@30", "--split", "1s", "--duration", "2500ms", "-o", "p-%02d.mp4", "-q")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(folder.names(in: ".") == ["p-01.mp4", "p-02.mp4", "p-03.mp4"])
        let photo = try await obscura("photo", "pattern:350x96@30", "-o", "photo.jpg", "--title", "Sea", "-q")
        #expect(photo.code == 0, "\(photo.errors)")
        let text = try await obscura("info", "photo.jpg").text
        #expect(text.contains("350x96") && text.contains("Sea"), "\(text)")
    }

    @Test("A movie that is there is kept, and a codec that the file does not take is wrong usage")
    func refusals() async throws {
        _ = try await obscura.shell("echo mine > a.mp4")
        let taken = try await obscura("record", "pattern", "--duration", "1s", "-o", "a.mp4")
        #expect(taken.code == 1 && taken.errors.contains("--overwrite"), "\(taken.errors)")
        #expect(try folder.text(of: "a.mp4") == "mine\n")
        #expect(try await obscura("record", "pattern", "--codec", "ffv1", "-o", "c.mp4").code == 64)
        #expect(try await obscura("record", "pattern", "-o", "c.avi").code == 64)
        #expect(try await obscura("record", "nowhere.mp4", "-o", "c.mp4").code == 1)
        #expect(folder.names(in: ".") == ["a.mp4"])
    }

    @Test("Options become settings, and invalid ones are rejected")
    func options() throws {
        let command = try command("--split", "10m", "-o", "day.mp4", "--max-size", "2G", "--bit-rate", "4M", "--no-gpl")
        #expect(try command.pattern().numberedPath(3) == "day-3.mp4" && command.maxSize?.count == 2_000_000_000)
        let video = try command.videoSettings()
        #expect(video.bitRate == 4_000_000 && !video.encoders.allowsGPL && command.source.name == nil)
        #expect(try self.command("--duration", "1.5").duration.time == MediaTime(value: 3, timescale: 2))
        for wrong in [
            ["--split", "500ms"], ["-o", "x-%d.mp4"], ["--bit-rate", "1M", "--quality", "0.5"], ["--quality", "2"],
            ["--max-size", "much"], ["--max-size", "0"], ["--max-size", "10k"],
            ["--duration", "0s"], ["--language", "deutsch"], ["--language", "de"], ["-o", ""], ["--codec", "vp9"],
            ["--audio-codec", "pcm", "-o", "x.mp4"],
        ] {
            #expect(throws: (any Error).self, "\(wrong)") {
                try RecordCommand.parse(wrong)
            }
        }
    }
}
