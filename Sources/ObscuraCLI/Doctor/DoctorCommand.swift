// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Checks the devices and settings of this machine.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check cameras, permissions, settings and programs that use the cameras, and list the problems.",
        discussion: """
            Each problem is printed with its remedy. A missing camera and a camera in use do not count as problems.

            Exit codes: 0 if there is no problem, 1 if there is a problem.

            Examples:
              obscura doctor
              obscura doctor --json
            """)

    @OptionGroup
    var output: JSONOptions

    func run() throws {
        let diagnosis = Diagnosis.ofThisMachine()
        try output.write(diagnosis.findings.map(FindingRecord.init), orText: Self.text(of: diagnosis))
        if !diagnosis.isHealthy { throw ExitCode.failure }
    }

    /// Returns a line for each finding, followed by its remedy.
    static func text(of diagnosis: Diagnosis) -> String {
        let lines = diagnosis.findings.map { finding in
            let level = finding.level.rawValue
            let line = level + String(repeating: " ", count: 9 - level.count)
            let advice = finding.remedy.map { "\n         \($0.commandText)" } ?? ""
            return "\(line)\(finding.subject): \(finding.finding).\(advice)\n"
        }
        let verdict = diagnosis.isHealthy ? "No problems found.\n" : "See the problems above.\n"
        return lines.joined() + (lines.isEmpty ? "" : "\n") + verdict
    }
}

/// A finding, in JSON.
struct FindingRecord: Codable {
    let level: String
    let cause: String
    let subject: String
    let finding: String
    let advice: String?

    init(_ finding: Diagnosis.Finding) {
        level = finding.level.rawValue
        cause = finding.cause.description
        subject = finding.subject
        self.finding = finding.finding
        advice = finding.remedy?.commandText
    }
}
