// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What is well and what is wrong with the cameras and microphones of this machine, in plain words.
public struct Diagnosis: Sendable, Hashable {
    /// One thing that was looked at.
    public struct Finding: Sendable, Hashable {
        /// How bad it is.
        public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
            /// As it should be.
            case fine
            /// Good to know; nothing has to be done.
            case note
            /// Something has to be mended.
            case problem
        }

        /// How bad it is.
        public let level: Level
        /// What was looked at: a camera, a file, a part of the system.
        public let subject: String
        /// What was found, as the end of a sentence that begins with the subject.
        public let finding: String
        /// How to mend it; nil where nothing has to be done.
        public let remedy: Remedy?

        /// - Parameters:
        ///   - level: how bad it is.
        ///   - subject: what was looked at.
        ///   - finding: what was found, as the end of a sentence that begins with the subject.
        ///   - remedy: how to mend it.
        public init(_ level: Level, _ subject: String, _ finding: String, remedy: Remedy? = nil) {
            self.level = level
            self.subject = subject
            self.finding = finding
            self.remedy = remedy
        }
    }

    /// Everything that was looked at, in order.
    public let findings: [Finding]

    /// - Parameter findings: everything that was looked at, in order.
    public init(findings: [Finding]) {
        self.findings = findings
    }

    /// Whether nothing has to be mended. A machine without one is well.
    public var isHealthy: Bool { !findings.contains { $0.level == .problem } }
}
