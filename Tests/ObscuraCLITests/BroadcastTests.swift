// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ArgumentParser
import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraCLI

@Suite("obscura broadcast", .needsFFmpeg, .hangLimit) struct BroadcastTests {
    private let folder: TemporaryFolder
    private let obscura: Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = Tool(folder: folder)
    }

    private struct Line: Decodable {
        struct Destination: Decodable {
            let destination: String
            let state: String
            let sentFrames: Int
            let droppedFrames: Int
            let videoDelays: [String: StageStatistics]
            let audioDelays: [String: StageStatistics]
        }

        struct Camera: Decodable {
            let receivedFrames: Int
            let droppedFrames: Int
        }

        struct Microphone: Decodable {
            let receivedBuffers: Int
            let droppedBuffers: Int
        }

        let event: String
        let camera: Camera?
        let microphone: Microphone?
        let lateAudioBuffers: Int?
        let lateFrames: Int?
        let destinations: [Destination]?
        let destination: String?
        let code: String?
        let encodedFrames: Int?
    }

    private func lines(_ outcome: Tool.Outcome) throws -> [Line] {
        try outcome.text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test("One encoder makes a movie and HLS, and says so as JSON")
    func movieAndList() async throws {
        let outcome = try await obscura(
            "broadcast", "pattern:350x96@30", "--to", "live/live.m3u8", "--record", "a.mp4", "--duration", "2s",
            "--json")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let lines = try lines(outcome)
        #expect(lines.count { $0.event == "connected" } == 2)
        #expect(lines.last?.event == "finished")
        let last = try #require(lines.dropLast().last)
        let destinations = try #require(last.destinations)
        #expect(destinations.map(\.destination) == ["live/live.m3u8", "a.mp4"])
        #expect(destinations.allSatisfy { $0.state == "ended" && $0.droppedFrames == 0 })
        #expect(destinations.allSatisfy { $0.sentFrames == last.encodedFrames })
        // Both are files.
        for destination in destinations {
            #expect(Set(destination.videoDelays.keys) == ["encoded", "written"])
            #expect(destination.videoDelays["written"]?.count == destination.sentFrames)
            #expect((destination.audioDelays["written"]?.p50 ?? 0) > 0)
        }
        let microphone = try #require(last.microphone)
        #expect(microphone.receivedBuffers > microphone.droppedBuffers + (try #require(last.lateAudioBuffers)))
        #expect(folder.names(in: "live").contains("live-media.m3u8"))
        let info = try await obscura("info", "a.mp4", "--json")
        let listing = try JSONDecoder().decode(MovieListing.self, from: Data(info.output))
        #expect(listing.streams.map(\.kind) == ["video", "audio"])
    }

    @Test(arguments: [[], ["--copy"]])
    func `Without a microphone, the sound of a film is not sent either`(options: [String]) async throws {
        _ = try await obscura.shell(
            "ffmpeg -v error -f lavfi -i testsrc=size=64x64:rate=25:duration=1 -f lavfi -i sine=duration=1 -shortest f.mp4"
        )
        let outcome = try await obscura(
            ["broadcast", "f.mp4", "--microphone", "none", "--record", "a.mp4", "-q"] + options)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let info = try await obscura("info", "a.mp4", "--json")
        let listing = try JSONDecoder().decode(MovieListing.self, from: Data(info.output))
        #expect(listing.streams.map(\.kind) == ["video"])
    }

    @Test func `With copy, a film is sent unchanged, in even steps although frames are reordered`() async throws {
        let outcome = try await obscura("broadcast", try TestMovies.h264(), "--copy", "--record", "a.mp4", "--json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let last = try #require(try lines(outcome).dropLast().last)
        #expect(try #require(last.camera).receivedFrames >= (try #require(last.encodedFrames)))
        let times = try Probe(folder.path + "/a.mp4").frames.compactMap(\.time?.seconds)
        // The film runs in real time, and the broadcast begins with one of its key frames.
        #expect(times.count >= 26)
        for (time, next) in zip(times, times.dropFirst()) { #expect(abs(next - time - 0.04) < 0.001) }
        let pattern = try await obscura("broadcast", "pattern", "--copy", "--record", "b.mp4")
        #expect(pattern.code == 1 && pattern.errors.contains("cannot be copied"), "\(pattern.errors)")
    }

    @Test("Each frame of a camera that is too fast for the encoder is accounted for")
    func account() async throws {
        let outcome = try await obscura(
            "broadcast", "pattern:1920x1080@240", "--microphone", "none", "--record", "c.mp4", "--duration", "1500ms",
            "--json")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let last = try #require(try lines(outcome).dropLast().last)
        let camera = try #require(last.camera)
        let known = try #require(last.encodedFrames) + (try #require(last.lateFrames)) + camera.droppedFrames
        // Frames that came before the broadcast had begun, more on a slow machine, and those that waited at its end
        // are neither. No frame is counted twice.
        #expect(known > 0 && known <= camera.receivedFrames, "\(camera) and \(known)")
        #expect(last.microphone == nil)
    }

    @Test("Ctrl-C makes the movie whole, and ends with 130")
    func interruption() async throws {
        let outcome = try await obscura.shell(
            """
            "$OBSCURA" broadcast pattern:350x96@30 --record b.mp4 & tool=$!
            until [ "$(stat -c %s b.recording.mp4 2> /dev/null || echo 0)" -gt 4000 ]; do read -rt 0.02 <> <(:); done
            kill -INT $tool; wait $tool
            """)
        #expect(outcome.code == 130 && folder.names(in: ".") == ["b.mp4"], "\(outcome.errors)")
        #expect(outcome.errors.contains("b.mp4: connected") && outcome.errors.contains("0 dropped"))
    }

    @Test("Nobody on the machine can read the keys of a broadcast that runs")
    func commandLine() async throws {
        let outcome = try await obscura.shell(
            """
            echo rtmp://me:hidden1@127.0.0.1:1/app/hidden2 > keys
            "$OBSCURA" broadcast pattern:350x96@30 --to rtmp://me:hidden3@127.0.0.1:1/app/hidden4 --to - --record c.mp4 \
                < keys 2> said & tool=$!
            until grep -qs connected said; do read -rt 0.02 <> <(:); done
            tr '\\0' ' ' < /proc/$tool/cmdline
            kill -INT $tool; wait $tool
            cat said
            """)
        #expect(outcome.text.contains("broadcast pattern:350x96@30 --to xxx"), "\(outcome.text)")
        #expect(!outcome.text.contains("hidden"), "\(outcome.text)")
        #expect(outcome.text.contains("rtmp://me:***@127.0.0.1:1/app/***: cannot connect to the server"))
    }

    @Test("A film that breaks off is sent up to there, and ends it with 1")
    func brokenFilm() async throws {
        let outcome = try await obscura.shell(
            """
            ffmpeg -v error -f lavfi -i testsrc=s=320x180:r=25 -frames:v 100 -c:v libx264 -movflags +faststart whole.mp4
            head -c $(($(stat -c %s whole.mp4) * 3 / 4)) whole.mp4 > cut.mp4
            "$OBSCURA" broadcast cut.mp4 --record out.mp4 --json > said; code=$?
            ffprobe -v error -show_entries stream=codec_name -of csv=p=0 out.mp4
            exit $code
            """)
        #expect(outcome.code == 1 && outcome.text == "h264\n", "\(outcome.text) \(outcome.errors)")
        #expect(outcome.errors.contains("cut.mp4: "), "\(outcome.errors)")
        let said = try folder.text(of: "said")
        #expect(said.contains(#""event":"finished""#) && said.contains(#""code":"sourceFailed""#), "\(said)")
    }

    @Test("A movie that cannot get its name at the end is a failure that is told once")
    func nameTaken() async throws {
        let outcome = try await obscura.shell(
            """
            "$OBSCURA" broadcast pattern:350x96@30 --record e.mp4 -q & tool=$!
            until [ "$(stat -c %s e.recording.mp4 2> /dev/null || echo 0)" -gt 4000 ]; do read -rt 0.02 <> <(:); done
            echo mine > e.mp4
            kill -INT $tool; wait $tool
            """)
        #expect(outcome.code != 0 && outcome.code != 130, "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count { $0.contains("e.mp4") } == 1, "\(outcome.errors)")
        #expect(try folder.text(of: "e.mp4") == "mine\n")
        #expect(folder.names(in: ".") == ["e.mp4", "e.recording.mp4"])
    }

    @Test("Nobody on the machine can read the password of a source")
    func sourcePassword() async throws {
        let outcome = try await obscura.shell(
            """
            mkfifo pipe
            "$OBSCURA" broadcast 'rtsp://me:hidden@127.0.0.1:1/x?token=hidden' --to - --record f.mp4 < pipe & tool=$!
            exec 3> pipe
            # Before it is obscura, it is a shell with this very script.
            until tr '\\0' ' ' < /proc/$tool/cmdline | grep '^/[^ ]*/obscura broadcast xxx'; do read -rt 0.02 <> <(:); done
            exec 3>&-
            wait $tool
            """)
        #expect(outcome.text.hasSuffix("--to - --record f.mp4 \n"), "\(outcome.text)")
        #expect(!outcome.text.contains("hidden") && !outcome.errors.contains("hidden"), "\(outcome.errors)")
    }

    @Test("A destination that cannot be ends it with 1, and with the others it goes on and then ends with 1")
    func refused() async throws {
        let alone = try await obscura("broadcast", "pattern:350x96@30", "--to", "rtsp://127.0.0.1:1/x")
        #expect(alone.code == 1 && alone.errors.hasPrefix("obscura: rtsp://127.0.0.1:1/x: cannot connect"))
        let both = try await obscura(
            "broadcast", "pattern:350x96@30", "--to", "rtsp://127.0.0.1:1/x", "--record", "d.mp4", "--duration", "1s")
        #expect(both.code == 1 && both.errors.contains("; failed") && folder.names(in: ".") == ["d.mp4"])
        // Before anything is sent, however many others could take it.
        let again = try await obscura(
            "broadcast", "pattern:350x96@30", "--record", "d.mp4", "--record", "e.mp4", "--duration", "1s")
        #expect(again.code == 1 && again.errors.contains("--overwrite"), "\(again.errors)")
        #expect(folder.names(in: ".") == ["d.mp4"])
        let replaced = try await obscura(
            "broadcast", "pattern:350x96@30", "--record", "d.mp4", "--duration", "1s", "--overwrite", "-q")
        #expect(replaced.code == 0 && replaced.errors.isEmpty, "\(replaced.errors)")
    }

    @Test("A server that has not answered when the end comes is named as the reason")
    func unanswered() async throws {
        let outcome = try await obscura(
            "broadcast", "pattern:350x96@30", "--to", "srt://127.0.0.1:1", "--record", "f.mp4", "--duration", "1s")
        #expect(outcome.code == 1 && outcome.errors.contains("the server had not answered"), "\(outcome.errors)")
    }

    @Test("Addresses by standard input may have room around them, and there must be one")
    func standardInput() async throws {
        let given = try await obscura.shell(
            """
            printf '\t g.mp4 \r\n\n' | "$OBSCURA" broadcast pattern:350x96@30 --to - --duration 1s -q
            "$OBSCURA" broadcast pattern:350x96@30 --to - < /dev/null
            """)
        #expect(given.code == 64 && folder.names(in: ".") == ["g.mp4"], "\(given.errors)")
        #expect(given.errors.contains("no address"), "\(given.errors)")
    }

    @Test("What makes no sense is wrong usage")
    func usage() throws {
        #expect(throws: (any Error).self) { try BroadcastCommand.parse([]) }
        for arguments in [
            ["--to", "nowhere"], ["--to", "rtmp://host/app"], ["--to", "live.m3u8", "--bitrate", "10"],
            ["--to", "live.m3u8", "--duration", "0s"], ["--to", "live.m3u8", "--key-interval", "1ms"],
            ["--to", "live.m3u8", "--record", "movie.avi"], ["--record", "live.m3u8"],
            ["--to", "udp://h:1", "--to", "udp://h:1"], ["--record", "a.mp4", "--record", "a.mp4"],
        ] {
            #expect(throws: (any Error).self, "\(arguments)") { try BroadcastCommand.parse(arguments) }
        }
    }

    @Test("Options become settings")
    func settings() throws {
        let command = try BroadcastCommand.parse([
            "pattern", "--to", "srt://host:9000", "--record", "a.mkv", "--bitrate", "4M", "--fixed-bitrate",
            "--key-interval", "2s", "--size", "640x360", "--wait", "--ca", "ca.pem", "--no-gpl", "--duration", "5s",
        ])
        let (destinations, settings) = (try command.destinations(command.to), try command.settings())
        #expect(destinations.map(\.kind) == [.srt, .movie] && destinations[0].startsWhenAvailable)
        #expect(settings.video.bitRate == 4_000_000 && !settings.adaptsBitRate)
        #expect(settings.video.keyFrameInterval == .seconds(2))
        #expect(settings.video.size == PixelSize(width: 640, height: 360))
        #expect(!settings.video.encoders.allowsGPL && settings.trustedCertificates == "ca.pem")
        #expect(command.options.duration.time?.duration == .seconds(5) && command.options.source.name == "pattern")
        let other = try BroadcastCommand.parse(["--to", "udp://h:1", "--bit-rate", "1M"])
        #expect(try other.settings().video.bitRate == 1_000_000)
    }
}
