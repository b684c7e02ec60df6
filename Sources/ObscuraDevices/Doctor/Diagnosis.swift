// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The state of the cameras and microphones of this machine.
public struct Diagnosis: Sendable, Hashable {
    /// The state of one item: a camera, a microphone, a file or a part of the system.
    public struct Finding: Sendable, Hashable {
        /// The severity of a finding.
        public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
            /// No problem.
            case fine
            /// Information; no action is required.
            case note
            /// Action is required.
            case problem
        }

        /// The state of an item, for programs. The set of causes is open: later versions add causes.
        public struct Cause: Sendable, Hashable, CustomStringConvertible {
            /// The name, such as `notAuthorized`; stable between versions.
            public let description: String

            /// Creates a cause for a check outside of this package.
            public init(_ description: String) {
                self.description = description
            }
        }

        /// The severity.
        public let level: Level
        /// The state of the item.
        public let cause: Cause
        /// The name of the item.
        public let subject: String
        /// The result, such as "this process has no permission to use it" for the subject `/dev/video0`.
        public let finding: String
        /// The remedy; nil if no remedy is needed or known.
        public let remedy: Remedy?

        /// Creates a finding.
        ///
        /// - Parameters:
        ///   - level: the severity.
        ///   - subject: the name of the item.
        ///   - finding: the result, such as "this process has no permission to use it".
        ///   - cause: the state of the item, for programs.
        ///   - remedy: the remedy; nil if no remedy is needed or known.
        public init(
            _ level: Level, _ subject: String, _ finding: String, cause: Cause = .other, remedy: Remedy? = nil
        ) {
            self.level = level
            self.cause = cause
            self.subject = subject
            self.finding = finding
            self.remedy = remedy
        }
    }

    /// All findings, in the order of display.
    public let findings: [Finding]

    /// Creates a diagnosis.
    ///
    /// - Parameter findings: all findings, in the order of display.
    public init(findings: [Finding]) {
        self.findings = findings
    }

    /// Whether no finding is a problem. A machine without devices is healthy.
    public var isHealthy: Bool { !findings.contains { $0.level == .problem } }
}
