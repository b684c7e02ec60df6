// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

extension SoundFinder {
    /// The findings about the microphones, their permissions and users.
    var findings: [Diagnosis.Finding] {
        let microphones = devices
        let hasDefault = microphones.first?.isSystemDefault == true
        var findings: [Diagnosis.Finding] = []
        if hasDefault {
            findings.append(
                .init(
                    .fine, "microphone default", "ready; libasound uses the microphone selected in the system",
                    cause: .ready))
        }
        for candidate in candidates {
            let name = microphones.first { $0.path == candidate.node.path }?.name ?? candidate.node.cardID
            let subject = "\(name.isEmpty ? "microphone" : name) (\(candidate.node.path))"
            findings.append(.microphone(candidate, subject, hasServer: hasDefault, files))
        }
        return findings.isEmpty ? [.none("microphones", builtIn: "tone", path: "/dev/snd")] : findings
    }
}

extension Diagnosis.Finding {
    /// Returns the finding for a microphone.
    ///
    /// - Parameter hasServer: whether a sound server shares the cards.
    fileprivate static func microphone(
        _ candidate: SoundListing.Candidate, _ subject: String, hasServer: Bool, _ files: FileTree
    ) -> Diagnosis.Finding {
        guard candidate.hasFile else { return .noFile(subject, path: "/dev/snd") }
        guard candidate.access.status == .authorized else { return .notAuthorized(subject, candidate.access.remedy) }
        guard let names = DeviceUsers(of: candidate.node.path, in: files).names else {
            return .init(.fine, subject, "ready", cause: .ready)
        }
        return .init(
            .note, subject, "in use; it is open in \(names)", cause: .inUse,
            remedy: .advice(
                hasServer ? "Choose microphone:default, which the sound server shares." : "End the other program."))
    }
}
