// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraCLI

/// `obscura doctor` and `obscura devices set`, on whatever machine this is.
@Suite(.hangLimit) struct DoctorTests {
    private let folder: TemporaryFolder
    private let obscura: Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = Tool(folder: folder)
    }

    @Test("What is found is one line, its advice the next, and the last line is the verdict")
    func text() {
        let diagnosis = Diagnosis(findings: [
            .init(.fine, "A (/dev/video0)", "ready"),
            .init(.problem, "B", "this process has no permission to use it", remedy: .joinGroup("video")),
        ])
        #expect(
            DoctorCommand.text(of: diagnosis) == """
                fine     A (/dev/video0): ready.
                problem  B: this process has no permission to use it.
                         Add yourself to the group video: sudo usermod -aG video $USER, then log in again.

                See the problems above.

                """)
        #expect(DoctorCommand.text(of: Diagnosis(findings: [])) == "No problems found.\n")
    }

    @Test("The exit code says whether there is a problem, and the JSON says which")
    func exitCode() async throws {
        let outcome = try await obscura("doctor", "--json")
        let findings = try JSONDecoder().decode([FindingRecord].self, from: Data(outcome.output))
        #expect(outcome.code == (findings.contains { $0.level == "problem" } ? 1 : 0))
        let text = try await obscura("doctor")
        #expect(text.code == outcome.code && text.errors.isEmpty && text.text.hasSuffix(".\n"))
    }

    @Test("The parent lists without a word more, and set needs something to set")
    func devices() async throws {
        let listed = try await obscura("devices", "list", "--json")
        let short = try await obscura("devices", "--json")
        #expect(listed.code == 0 && listed.output == short.output)
        #expect(try await obscura("devices", "set", "some-id").code == 64)
        #expect(try await obscura("devices", "set", "some-id", "--position", "sideways").code == 64)
        #expect(try await obscura("devices", "set").code == 64)
        #expect(try await obscura("devices", "set", "--help").text.contains("xample"))
    }

    @Test("A camera that is not there is not set, and no file is made")
    func unknownCamera() async throws {
        let outcome = try await obscura.shell(
            "XDG_CONFIG_HOME=$PWD/config \"$OBSCURA\" devices set no-such-camera --position front")
        #expect(outcome.code == 1 && outcome.errors.contains("camera:no-such-camera"))
        #expect(folder.names().isEmpty)
    }
}
