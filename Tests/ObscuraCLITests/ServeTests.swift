// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if HLS

import ArgumentParser
import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraCLI

@Suite("obscura serve", .hangLimit) struct ServeTests {
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
        }

        let event: String
        let url: String?
        let destinations: [Destination]?
    }

    private func lines(_ text: String) throws -> [Line] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test("It says where it listens before anything else, and leaves nothing behind")
    func listening() async throws {
        let outcome = try await obscura(
            "serve", "pattern:350x96@30", "--hls", "127.0.0.1:0", "--record", "a.mp4", "--duration", "1s", "--json")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let lines = try lines(outcome.text)
        #expect(lines.first?.event == "listening")
        let address = try #require(lines.first?.url.flatMap(URL.init(string:)))
        #expect(address.host() == "127.0.0.1" && address.port ?? 0 > 0 && address.path() == "/")
        #expect(lines.last?.event == "finished")
        let destinations = try #require(lines.dropLast().last?.destinations)
        #expect(destinations.allSatisfy { $0.state == "ended" })
        #expect(destinations.map(\.destination) == ["HLS at 127.0.0.1:0", "a.mp4"])
    }

    @Test("Ctrl-C ends it with 130 as soon as it listens, and takes the folder away")
    func interruption() async throws {
        let outcome = try await obscura.shell(
            """
            "$OBSCURA" serve pattern:350x96@30 --hls 127.0.0.1:0 --json > said & tool=$!
            until grep -qs listening said; do read -rt 0.02 <> <(:); done
            folder=$(readlink /proc/$tool/fd/* | grep -m 1 obscura-hls-)
            ls -d "$folder"
            kill -INT $tool; wait $tool; code=$?
            ls -d "$folder"
            exit $code
            """)
        #expect(outcome.code == 130, "\(outcome.errors)")
        #expect(outcome.text.split(separator: "\n").count == 1 && outcome.text.contains("/obscura-hls-"))
    }

    @Test("Nobody on the machine can read the password")
    func commandLine() async throws {
        let outcome = try await obscura.shell(
            """
            "$OBSCURA" serve pattern:350x96@30 --hls 127.0.0.1:0 --user me --password hidden1 --json > said & tool=$!
            until grep -qs listening said; do read -rt 0.02 <> <(:); done
            tr '\\0' ' ' < /proc/$tool/cmdline
            kill -INT $tool; wait $tool
            echo hidden2 | "$OBSCURA" serve pattern:350x96@30 --hls 127.0.0.1:0 --user me --password - --duration 1s -q
            """)
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.text.contains("--user me --password xxxxxxx") && !outcome.text.contains("hidden"))
    }

    @Test("A port that is taken, an address of others and one that is none are said to be, with advice")
    func refused() async throws {
        let taken = try await obscura.shell(
            """
            "$OBSCURA" serve pattern:350x96@30 --hls 127.0.0.1:0 --json > said & tool=$!
            until grep -qs listening said; do read -rt 0.02 <> <(:); done
            port=$(grep -o '1:[0-9]*/' said | tr -dc '0-9\\n' | cut -c 2-)
            "$OBSCURA" serve pattern:350x96@30 --hls 127.0.0.1:$port; code=$?
            kill -INT $tool; wait $tool
            exit $code
            """)
        #expect(taken.code == 1 && taken.errors.contains("the port is in use") && taken.errors.contains("--hls"))
        let other = try await obscura("serve", "pattern:350x96@30", "--hls", "192.0.2.1:0")
        #expect(other.code == 1 && other.errors.contains("not available on this host"), "\(other.errors)")
        let none = try await obscura("serve", "pattern:350x96@30", "--hls", "8080")
        #expect(none.code == 64 && none.errors.contains("Write :8080"), "\(none.errors)")
        let secret = try await obscura("serve", "pattern:350x96@30", "--hls", "me:hidden@:8080")
        #expect(secret.code == 64 && !secret.errors.contains("hidden"), "\(secret.errors)")
        let silent = try await obscura.shell(
            "\"$OBSCURA\" serve pattern --hls 127.0.0.1:0 --user me --password - < /dev/null")
        #expect(silent.code == 64 && silent.errors.contains("contains no password"), "\(silent.errors)")
    }

    @Test("RTSP is served beside HLS, and the password is read once for both", .withoutThreadSanitizer)
    func rtspBesideHLS() async throws {
        let outcome = try await obscura.shell(
            """
            port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
            echo hidden1 | "$OBSCURA" serve pattern:350x96@30 --microphone none --hls 127.0.0.1:0 \\
                --rtsp 127.0.0.1:$port/front --user me --password - --json > said & tool=$!
            until grep -qs rtsp://127.*/front said; do kill -0 $tool || exit; read -rt 0.02 <> <(:); done
            ffprobe -v error -rtsp_transport tcp -show_entries stream=codec_name,width -of csv=p=0 \\
                rtsp://me:hidden1@127.0.0.1:$port/front
            kill -INT $tool; wait $tool
            """)
        #expect(outcome.code == 130 && outcome.text == "h264,350\n", "\(outcome.text) \(outcome.errors)")
        let said = try String(contentsOfFile: "\(folder.path)/said", encoding: .utf8)
        #expect(!said.contains("hidden1"))
        let urls = try lines(said).filter { $0.event == "listening" }.compactMap(\.url)
        #expect(urls.count == 2 && urls[1].hasSuffix("/front"), "\(urls)")
    }

    @Test("A viewer that joins at an open GOP gets times from 0 on", .needsFFmpeg, .withoutThreadSanitizer)
    func openGOP() async throws {
        let outcome = try await obscura.shell(
            #"""
            gop=open-gop=1:bframes=3:b-adapt=0:keyint=24:min-keyint=1:scenecut=0
            ffmpeg -v error -f lavfi -i testsrc=size=64x64:rate=25:duration=10 -c:v libx264 -x264-params $gop f.mp4
            port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
            "$OBSCURA" serve f.mp4 --copy --rtsp 127.0.0.1:$port -q & tool=$!
            until ffprobe -v error -rtsp_transport tcp -read_intervals '%+#8' -show_entries packet=pts_time -of csv=p=0 \
                rtsp://127.0.0.1:$port/live 2> said > times
            do kill -0 $tool || { cat said >&2; exit 1; }; done
            kill -INT $tool; wait $tool
            cat times
            """#)
        // The first time is unknown until the first report of the server.
        let times = outcome.text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        #expect(times.count >= 7 && times.allSatisfy { $0 < 60 }, "\(outcome.text) \(outcome.errors)")
    }

    @Test("What makes no sense is wrong usage")
    func usage() throws {
        for arguments in [
            [], ["pattern"], ["--record", "a.mp4"], ["--rtsp", "8554"], ["--rtsp", ":0"],
            ["--rtsp", "me:secret@:8554"], ["--rtsp", ":8554", "--user", "m\"e", "--password", "a"],
            ["--hls", ":0", "--user", "me"], ["--hls", ":0", "--password", "a"],
            ["--hls", ":0", "--user", "m:e", "--password", "a"], ["--hls", ":0", "--user", "", "--password", "a"],
            ["--hls", ":0", "--user", "me", "--password", ""], ["--hls", ":0", "--bitrate", "10"],
            ["--hls", ":0", "--record", "movie.avi"], ["--hls", ":0", "--to", "a.mp4"],
            ["--hls", ":99999"], ["--hls", ":0", "--host-name", "http://x"], ["--rtsp", ":8554", "--host-name", "x"],
            ["--rtsp", ":8554", "--allow-other-sites"], ["--hls", ":8080", "--rtsp", ":8080"],
            ["--hls", "127.0.0.1:8080", "--rtsp", ":8080/front"],
        ] {
            #expect(throws: (any Error).self, "\(arguments)") { try ServeCommand.parse(arguments) }
        }
        #expect(throws: Never.self) {
            _ = try ServeCommand.parse(["--hls", "127.0.0.1:8080", "--rtsp", "127.0.0.2:8080/front"])
            _ = try ServeCommand.parse(["--hls", "[::1]:8080", "--rtsp", ":8080"])
        }
    }

    @Test("The options of a broadcast are its own as well")
    func settings() throws {
        let command = try ServeCommand.parse([
            "camera:front", "--hls", ":8080", "--bitrate", "4M", "--key-interval", "2s", "--size", "640x360",
            "--record", "a.mkv", "--overwrite",
        ])
        let destinations = try command.options.destinations([BroadcastDestination("live/live.m3u8")])
        let video = try command.options.settings().video
        #expect(command.options.source.name == "camera:front" && destinations.map(\.kind) == [.hls, .movie])
        #expect(video.bitRate == 4_000_000 && video.keyFrameInterval == .seconds(2))
        #expect(destinations.allSatisfy { $0.overwrites })
    }

    @Test("Who can watch is said where a network reaches it")
    func announcement() {
        func words(isOpen: Bool, hasPassword: Bool, hidesPassword: Bool = false) -> String {
            ServeAnnouncement(
                isOpenToNetwork: isOpen, hasPassword: hasPassword, hidesPassword: hidesPassword, isJSON: false,
                isQuiet: false
            ).words("http://127.0.0.1:80/")
        }
        #expect(words(isOpen: false, hasPassword: false) == "Watch at http://127.0.0.1:80/\n")
        #expect(words(isOpen: true, hasPassword: false).contains("Anyone who can reach this address can watch"))
        #expect(words(isOpen: true, hasPassword: true).contains("The stream and the password are sent over"))
        #expect(!words(isOpen: true, hasPassword: true, hidesPassword: true).contains("and the password"))
    }
}

#endif
