// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraCLI

@Suite("obscura listen", .hangLimit) struct ListenTests {
    private let folder: TemporaryFolder
    private let obscura: Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = Tool(folder: folder)
    }

    private struct Line: Decodable {
        let time: Double
        let levels: [AudioLevel]
    }

    @Test("A tone of -6 dBFS reads so, each second, as JSON and in words")
    func tone() async throws {
        let outcome = try await obscura("listen", "tone:1000@-6", "--duration", "2s", "--json")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let lines = try outcome.text.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        #expect(lines.map(\.time) == [1, 2])
        for level in lines.flatMap(\.levels) {
            #expect(abs(level.peak + 6) < 0.1 && abs(level.average + 9.01) < 0.1)
        }
        let words = try await obscura("listen", "tone:1000@-6", "--duration", "1s")
        #expect(words.errors.contains("0:01  1: -9.0 dBFS, peak -6.0  2: -9.0 dBFS, peak -6.0\n"), "\(words.errors)")
        // What is lost is said: on a busy machine there is some.
        #expect(words.errors.contains("Received 1.0 s of 48000 Hz, 2 channels, f32; "), "\(words.errors)")
    }

    @Test("A source without sound is an error with code 1, a wrong time one with code 64")
    func refusals() async throws {
        let camera = try await obscura("listen", "pattern")
        #expect(camera.code == 1 && camera.errors.contains("pattern: it has no audio."), "\(camera.errors)")
        #expect(try await obscura("listen", "tone", "--duration", "2x").code == 64)
        #expect(try await obscura("listen", "tone:x").code == 1)
    }

    @Test("Ctrl-C ends it with what was heard, and code 130")
    func interruption() async throws {
        let outcome = try await obscura.shell(
            """
            "$OBSCURA" listen tone 2> said & tool=$!
            until [ -s said ]; do read -rt 0.02 <> <(:); done
            kill -INT $tool; wait $tool; code=$?
            cat said >&2; exit $code
            """)
        #expect(outcome.code == 130 && outcome.errors.contains("Received "), "\(outcome.errors)")
    }

    @Test("It ends when nobody reads the lines any more")
    func closedPipe() async throws {
        let outcome = try await obscura.shell("\"$OBSCURA\" listen tone --json | head -n 1")
        #expect(outcome.code == 0 && outcome.text.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    @Test("A bar is as long as the sound is loud, and the line never longer than the terminal")
    func bars() throws {
        var meter = AudioLevelMeter(channelCount: 1, sampleRate: 25)
        let format = AudioFormat(sampleRate: 25, channelCount: 1)
        let reading = meter.add(
            AudioBuffer(
                format: format, samples: .float32([0.5]), presentationTime: .zero,
                hostTime: HostTime(nanoseconds: 0)))
        let line = LevelLine(time: MediaTime(value: 61, timescale: 1), levels: try #require(reading))
        #expect(line.text == "1:01  1: -6.0 dBFS, peak -6.0")
        #expect(line.bars(width: 33) == "[#################|--]   -6.0")
        for width in 0..<200 {
            let both = LevelLine(time: .zero, levels: line.levels + line.levels).bars(width: width)
            #expect(both.count <= max(0, width - 1), "\(width): \(both)")
        }
        #expect(LevelLine(time: .zero, levels: [.silence]).bars(width: 33).hasPrefix("[|-------------------] -120.0"))
    }
}
