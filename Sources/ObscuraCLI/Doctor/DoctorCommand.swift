// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Looks for what is wrong.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look at the cameras, the rights to them, who uses them and the settings, and say what is wrong.",
        discussion: """
            Exit codes: 0 when nothing has to be mended, also on a machine without a camera or with one that is \
            in use; 1 when something has to be mended, with how to do it.

            Examples:
              obscura doctor
              obscura doctor --json
            """)

    @Flag(help: "Print a JSON array instead of text.")
    var json = false

    func run() throws {
        let diagnosis = Diagnosis.ofThisMachine()
        Terminal.write(
            json ? try JSONText.make(diagnosis.findings.map(FindingRecord.init)) + "\n" : Self.text(of: diagnosis))
        if !diagnosis.isHealthy { throw ExitCode.failure }
    }

    /// A line for each finding, and how to mend it below.
    static func text(of diagnosis: Diagnosis) -> String {
        let lines = diagnosis.findings.map { finding in
            let level = finding.level.rawValue
            let line = level + String(repeating: " ", count: 9 - level.count)
            let advice = finding.remedy.map { "\n         \($0.commandText)" } ?? ""
            return "\(line)\(finding.subject): \(finding.finding).\(advice)\n"
        }
        let verdict = diagnosis.isHealthy ? "Nothing has to be mended.\n" : "Mend what is called a problem above.\n"
        return lines.joined() + (lines.isEmpty ? "" : "\n") + verdict
    }
}

/// A finding in JSON.
struct FindingRecord: Codable {
    let level: String
    let subject: String
    let finding: String
    let advice: String?

    init(_ finding: Diagnosis.Finding) {
        level = finding.level.rawValue
        subject = finding.subject
        self.finding = finding.finding
        advice = finding.remedy?.commandText
    }
}
