// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Logging
import TestSupport
import Testing

@testable import ObscuraCLI

@Suite struct PlainTextTests {
    @Test(arguments: [
        ("a\tb\nc", "a\tb\nc"), ("Größe 日本 🎥", "Größe 日本 🎥"),
        ("\u{1B}[2J\u{1B}]0;x\u{7}", "\u{FFFD}[2J\u{FFFD}]0;x\u{FFFD}"),
        ("a\r\nb", "a\u{FFFD}\nb"), ("\u{0}\u{8}\u{7F}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("\u{9B}31m\u{85}", "\u{FFFD}31m\u{FFFD}"), ("gpj.\u{202E}exe\u{2066}", "gpj.\u{FFFD}exe\u{FFFD}"), ("", ""),
    ])
    func `What a terminal would obey is replaced, and all else stays`(text: String, shown: String) {
        #expect(PlainText.make(text) == shown)
    }

    @Test func `A message of the log is one line`() {
        var log = TerminalLog(label: "obscura.studio")
        log[metadataKey: "path"] = "/a"
        log[metadataKey: "peer"] = "::1"
        let event = LogEvent(
            level: .notice, message: "first\nsecond\r\nthird", metadata: ["path": "/b"], source: nil, file: #file,
            function: #function, line: #line)
        let line = log.line(of: event, at: Date(timeIntervalSince1970: 0))
        #expect(line == "1970-01-01T00:00:00Z notice obscura.studio: path=/b peer=::1 first second third")
    }

    @Test(.hangLimit) func `A message of the log brings no control to a terminal`() async throws {
        let obscura = Tool(folder: try TemporaryFolder())
        let made = try await obscura.shell(
            #"""
            export XDG_CONFIG_HOME=$PWD/$'con\033[2Jfig'
            mkdir --parents "$XDG_CONFIG_HOME/obscura" && echo '{' > "$XDG_CONFIG_HOME/obscura/devices.json"
            "$OBSCURA" devices
            """#)
        #expect(made.errors.contains("warning obscura.devices: "), "\(made.errors)")
        #expect(!made.errors.contains("\u{1B}"), "\(made.errors)")
    }

    @Test(.needsFFmpeg, .hangLimit) func `A title and the name of a file bring no control to a terminal`() async throws
    {
        let folder = try TemporaryFolder()
        let obscura = Tool(folder: folder)
        let made = try await obscura.shell(
            #"""
            ffmpeg -v error -f lavfi -i testsrc=size=64x64:rate=5:duration=1 -metadata title=$'evil\033[2Jtitle' a.mkv
            export missing=$'no\033]0;x\007.mp4'
            # A terminal for standard output and standard error.
            script --quiet --command \
                '"$OBSCURA" info a.mkv; "$OBSCURA" info "$missing"; "$OBSCURA" info a.mkv "$missing"' /dev/null
            """#)
        #expect(made.text.contains("title") && made.text.contains("no such file"), "\(made.text) \(made.errors)")
        #expect(made.text.contains("Unexpected argument"), "\(made.text)")
        #expect(!made.output.contains(0x1B) && !made.output.contains(0x07), "\(made.text)")
    }
}
