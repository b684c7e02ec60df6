// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraCLI

/// `obscura trim`, as its users run it.
@Suite(.hangLimit) struct TrimToolTests {
    private let folder: TemporaryFolder
    private let obscura: ObscuraCLITests.Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = ObscuraCLITests.Tool(folder: folder)
    }

    @Test func `a part of a movie is a new file`() async throws {
        let film = try TestMovies.h264()
        let outcome = try await obscura("trim", film, "--start", "0.6", "--end", "1.4", "-o", "part.mp4")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("part.mp4: 0.8 s\n") || outcome.errors.contains("part.mp4: 0.9 s\n"))
        let matroska = try await obscura(
            "trim", film, "--start", "0.6", "--duration", "500ms", "-o", "part.mkv", "--quiet")
        #expect(matroska.code == 0 && matroska.errors.isEmpty, "\(matroska.errors)")
        #expect(folder.names() == ["part.mkv", "part.mp4"])
        let again = try await obscura("trim", film, "--start", "1", "-o", "part.mp4")
        #expect(again.code == 1)
        #expect(again.errors.contains("--overwrite"))
        #expect(try await obscura("trim", film, "--start", "1", "-o", "part.mp4", "--overwrite").code == 0)
    }

    @Test func `wrong usage is told before anything is written`() async throws {
        let film = try TestMovies.h264()
        #expect(try await obscura("trim", film, "-o", "part.mp4").code == 64)
        #expect(try await obscura("trim", film, "--end", "1", "--duration", "1", "-o", "part.mp4").code == 64)
        #expect(try await obscura("trim", film, "--start", "-1", "-o", "part.mp4").code == 64)
        let late = try await obscura("trim", film, "--start", "1:00", "-o", "part.mp4")
        #expect(late.code == 1)
        #expect(late.errors.contains("before the start of the selected part. Choose an earlier start."))
        #expect(try await obscura("trim", film, "--end", "1", "-o", "part.avi").code == 1)
        #expect(folder.names().isEmpty)
    }
}
