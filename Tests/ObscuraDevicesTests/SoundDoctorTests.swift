// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import Testing

@testable import ObscuraDevices

@Suite("What the doctor says of sound")
struct SoundDoctorTests {
    private let machine: FakeMachine

    init() throws {
        machine = try FakeMachine()
    }

    @Test("A machine without a microphone is well, and told what it could use")
    func none() throws {
        let finding = try #require(machine.soundFinder.findings.first)
        #expect(finding.level == .note && finding.subject == "microphones")
        #expect(finding.finding.contains("tone") && finding.remedy == .addDeviceToContainer("/dev/snd"))
    }

    @Test("A microphone that may be used and is not in use is ready")
    func ready() throws {
        _ = try machine.addPCICard(0)
        let findings = machine.soundFinder.findings
        #expect(findings == [.init(.fine, "HDA Intel PCH (/dev/snd/pcmC0D0c)", "ready", cause: .ready)])
    }

    @Test("One that is open elsewhere is noted, with who has it; where a sound server has it, that is the way")
    func busy() throws {
        _ = try machine.addPCICard(0)
        try machine.write("/proc/55/comm", "pipewire")
        try machine.rawLink("/proc/55/fd/4", "/dev/snd/pcmC0D0c")
        let finding = try #require(machine.soundFinder.findings.first)
        #expect(finding.level == .note && finding.finding == "in use; it is open in pipewire (pid 55)")
        #expect(finding.remedy == .advice("End the other program."))
        try machine.write("/etc/asound.conf", "pcm.!default { type pipewire }")
        let findings = machine.soundFinder.findings
        #expect(findings.map(\.level) == [.fine, .note])
        #expect(findings.last?.remedy == .advice("Choose microphone:default, which the sound server shares."))
    }

    @Test("A node without its file is a problem: the sound was not passed into the container")
    func noFile() throws {
        _ = try machine.addPCICard(0)
        try machine.remove("/dev/snd/pcmC0D0c")
        let finding = try #require(machine.soundFinder.findings.first)
        #expect(finding.level == .problem && finding.remedy == .addDeviceToContainer("/dev/snd"))
        #expect(finding.subject == "PCH (/dev/snd/pcmC0D0c)")
    }

    @Test("A node that no group may use gets a rule for sound cards, not for cameras")
    func advice() {
        let access = NodeAccess(
            isAllowed: false, openStatus: nil,
            node: NodeRights(path: "/dev/snd/pcmC0D0c", mode: 0o600, group: 0, groupName: "root"),
            process: ProcessRights(groups: [], listedGroups: []))
        #expect(access.status == .denied)
        #expect(access.remedy == .allowGroup("audio", subsystem: "sound"))
    }
}
