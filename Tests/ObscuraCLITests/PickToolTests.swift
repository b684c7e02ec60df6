// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import TestSupport
import Testing

/// `obscura pick` up to its page; Tests/Browser/test_picker.py uses the page.
@Suite(.hangLimit) struct PickToolTests {
    private let folder: TemporaryFolder
    private let obscura: ObscuraCLITests.Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = ObscuraCLITests.Tool(folder: folder)
    }

    @Test(arguments: [
        ["--crop", "4x3"], ["--crop", "0:1"], ["--count", "0"], ["--min", "0"], ["--min", "3", "--count", "2"],
        ["--count", "2000"], ["--kind", "sound"], ["--source", "cloud"], ["--accent-color", "blue"],
        ["--max-duration", "0s"], ["--port", "99999"], ["--preselect", "a.jpg", "--preselect", "b.jpg"], ["file.jpg"],
    ])
    func `wrong usage has its own exit code`(_ arguments: [String]) async throws {
        let outcome = try await obscura(["pick", "--no-open", "-o", "out"] + arguments)
        #expect(outcome.code == 64 && outcome.output.isEmpty, "\(arguments): \(outcome.errors)")
        #expect(folder.names().isEmpty)
    }

    @Test func `a failure is no cancellation`() async throws {
        try Data("no image".utf8).write(to: URL(filePath: "\(folder.path)/text.jpg"))
        let cases = [
            (["--preselect", "missing.jpg"], "missing.jpg: there is no such file"),
            (["--preselect", "."], "it is a folder, not a file"),
            (["--overlay", "text.jpg"], "text.jpg: it is not an image"),
            (["--preselect", "text.jpg"], "text.jpg: it is neither a photo nor a movie"),
            (["--source", "library", "--library", "missing"], "missing"),
            (["-o", "text.jpg"], "it is a file, not a folder"),
            (["--source", "camera", "--camera", "missing.mp4"], "missing.mp4"),
        ]
        for (arguments, words) in cases {
            let outcome = try await obscura(
                ["pick", "--no-open", "--camera", "pattern"] + (arguments.contains("-o") ? [] : ["-o", "out"])
                    + arguments)
            #expect(outcome.code == 2 && outcome.output.isEmpty, "\(arguments)")
            #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
            #expect(folder.names() == ["text.jpg"], "\(arguments)")
        }
    }

    @Test func `a failure before the page is no cancellation either`() async throws {
        // The first limit is too low for a server, the second one for any command.
        for limit in [20, 12] {
            let outcome = try await obscura.shell(
                "ulimit -n \(limit); $OBSCURA pick --no-open --camera pattern -o out")
            #expect(outcome.code == 2 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errors.contains("open files"), "\(outcome.errors)")
        }
    }

    @Test func `an interruption leaves nothing behind`() async throws {
        let outcome = try await obscura.shell(
            "mkfifo log; $OBSCURA pick --no-open --camera pattern -o a/b/c 2> log & grep -q 'The page is at http' < log; "
                + "kill -INT $!; wait $!; code=$?; rm log; exit $code")
        #expect(outcome.code == 130 && outcome.output.isEmpty)
        #expect(folder.names().isEmpty)
    }
}
