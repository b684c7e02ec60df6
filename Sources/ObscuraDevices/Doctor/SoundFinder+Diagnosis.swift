// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

extension SoundFinder {
    /// What there is to say of the microphones, the rights to them, and who uses them.
    package var findings: [Diagnosis.Finding] {
        let seen = seen
        let microphones = microphones
        var findings: [Diagnosis.Finding] = []
        if microphones.first?.isSystemDefault == true {
            findings.append(.init(.fine, "microphone default", "ready; libasound leads it to the system's choice"))
        }
        for seen in seen {
            let name = microphones.first { $0.path == seen.node.path }?.name ?? seen.node.cardID
            let subject = "\(name.isEmpty ? "microphone" : name) (\(seen.node.path))"
            findings.append(.microphone(seen, subject, isServed: microphones.first?.isSystemDefault == true, files))
        }
        guard findings.isEmpty else { return findings }
        return [
            .init(
                .note, "microphones", "this machine has none but the built-in one, tone",
                remedy: .addDeviceToContainer("/dev/snd"))
        ]
    }
}

extension Diagnosis.Finding {
    /// - Parameter isServed: whether there is a sound server, which has the cards open for all.
    fileprivate static func microphone(
        _ seen: SoundListing.Seen, _ subject: String, isServed: Bool, _ files: FileTree
    ) -> Diagnosis.Finding {
        guard seen.isThere else {
            return .init(
                .problem, subject, "the kernel has it, but there is no such file",
                remedy: .addDeviceToContainer("/dev/snd"))
        }
        guard seen.access.status == .authorized else {
            return .init(.problem, subject, "this process may not use it", remedy: seen.access.remedy)
        }
        guard let names = DeviceUsers(of: seen.node.path, in: files).names else {
            return .init(.fine, subject, "ready")
        }
        return .init(
            .note, subject, "is open in \(names), so it is in use",
            remedy: .advice(
                isServed ? "Choose microphone:default, which the sound server shares." : "End the other program."))
    }
}
