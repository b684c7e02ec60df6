// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if HLS

import TestSupport
import Testing

@Suite("--metrics", .hangLimit) struct MetricsToolTests {
    private let folder: TemporaryFolder
    private let obscura: Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = Tool(folder: folder)
    }

    @Test(
        "Each command that captures serves the statistics of its session",
        arguments: [
            ("record", "-o a.mp4", "movie"), ("broadcast", "--to a.m3u8", "broadcast"),
            ("serve", "--hls 127.0.0.1:0", "broadcast"),
        ])
    func served(_ command: String, _ options: String, _ output: String) async throws {
        let outcome = try await obscura.shell(
            """
            "$OBSCURA" \(command) pattern:350x96@30 --microphone tone \(options) \\
                --metrics 0 2> said & tool=$!
            until grep -qs Statistics said; do kill -0 $tool || exit; read -rt 0.02 <> <(:); done
            url=$(grep -o 'http.*/metrics' said)
            until
                python3 -c 'import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).read().decode())' $url > page ||
                    exit
                grep -q 'delivered_total{output="\(output)",media="video"} [1-9]' page &&
                    grep -q 'delivered_total{output="\(output) sound",media="audio"} [1-9]' page
            do kill -0 $tool || exit; done
            kill -INT $tool; wait $tool
            cat page
            """)
        #expect(outcome.code == 0, "\(outcome.text) \(outcome.errors)")
        #expect(outcome.text.contains("# TYPE obscura_stage_duration_seconds histogram\n"))
        #expect(
            outcome.text.contains("obscura_frames_received_total{device=\"pattern:350x96@30\"} "), "\(outcome.text)")
        let name = "obscura_frames_dropped_total{output=\"\(output)\",media=\"video\",reason=\"late\"}"
        #expect(outcome.text.contains(name))
    }

    @Test("A port in use and an invalid address are errors, and nothing is recorded")
    func refused() async throws {
        let invalid = try await obscura("record", "pattern", "-o", "a.mp4", "--metrics", "here")
        #expect(invalid.code == 64 && invalid.errors.contains("Write :8080"), "\(invalid.errors)")
        let taken = try await obscura.shell(
            """
            "$OBSCURA" record pattern:350x96@30 -o a.mp4 --metrics 127.0.0.1:0 2> said & tool=$!
            until grep -qs Statistics said; do kill -0 $tool || exit; read -rt 0.02 <> <(:); done
            address=$(grep -o '127[0-9.:]*' said)
            # A program in the background ignores the signal until it handles it, which it does before it has a file.
            until [ -e a.recording.mp4 ]; do kill -0 $tool || exit; read -rt 0.02 <> <(:); done
            "$OBSCURA" record pattern:350x96@30 -o b.mp4 --metrics $address; code=$?
            kill -INT $tool; wait $tool
            ls b*
            exit $code
            """)
        #expect(taken.code == 1 && taken.errors.contains("the port is in use"), "\(taken.errors)")
        #expect(taken.text.isEmpty)
    }
}

#endif
