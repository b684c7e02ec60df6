// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

@testable import ObscuraDevices

/// What is wrong is said, with how to mend it.
@Suite struct DoctorTests {
    private let machine: FakeMachine

    init() throws {
        machine = try FakeMachine()
    }

    private func problems() -> [Diagnosis.Finding] { machine.finder.findings.filter { $0.level == .problem } }

    @Test("A machine without a camera is well, and that is said")
    func none() {
        let diagnosis = Diagnosis(findings: machine.finder.findings)
        #expect(diagnosis.isHealthy && diagnosis.findings.map(\.subject) == ["cameras"])
    }

    @Test("Where the portal has not given access to PipeWire, its daemon is not called stopped")
    func portal() {
        let remote = PipeWireRemote(
            open: { () throws(ObscuraError) -> Int32 in throw ObscuraError.noDaemon }, isAvailable: { false },
            isPortal: { true })
        let findings = MachineCameraFinder(kernel: machine.finder, remote: remote).findings
        #expect(!findings.contains { $0.cause == .pipeWireNotRunning })
    }

    @Test("A camera that is ready is fine, and its metadata node is not spoken of")
    func ready() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "A")
        try machine.addUSBCamera(1, port: "1-1", serial: "A", index: 1)
        machine.probe.set("/dev/video1", .metadata)
        #expect(machine.finder.findings == [.init(.fine, "HD Pro Webcam C920 (/dev/video0)", "ready", cause: .ready)])
    }

    @Test("The infrared sensor and the metadata of a camera are not offered, and the list of these says why")
    func infrared() throws {
        for index in 0..<3 { try machine.addUSBCamera(index, port: "1-1", serial: "A", index: index) }
        // A node of its own, as Windows Hello's sensors are.
        try machine.addUSBCamera(3, port: "1-1", serial: "A")
        machine.probe.set("/dev/video1", .metadata)
        machine.probe.set("/dev/video2", .metadata)
        var gray = NodeDescription.camera()
        gray.isGray = true
        machine.probe.set("/dev/video3", gray)
        #expect(machine.finder.devices.map(\.path) == ["/dev/video0"])
        #expect(machine.finder.nodesNotOffered.map(\.cause) == [.metadata, .metadata, .infrared])
        #expect(machine.finder.listing.otherPaths == ["/dev/video1", "/dev/video2", "/dev/video3"])
        // A gray camera without another one is a camera.
        try machine.addUSBCamera(4, port: "1-2", serial: "B")
        machine.probe.set("/dev/video4", gray)
        #expect(machine.finder.devices.map(\.path) == ["/dev/video0", "/dev/video4"])
    }

    @Test("A raw sensor node is no camera, and it is said what it needs")
    func rawSensor() throws {
        for number in 0..<2 { try machine.addPlatformCamera(number, "csi.\(number)", name: "unicam") }
        machine.probe.set("/dev/video0", NodeDescription(kind: .rawSensor, driver: "unicam", card: "", bus: ""))
        machine.probe.set(
            "/dev/video1", NodeDescription(kind: .unknownLayouts(["Z16"]), driver: "depth", card: "", bus: ""))
        #expect(machine.finder.devices.isEmpty)
        let findings = machine.finder.findings
        #expect(findings.map(\.subject) == ["unicam (/dev/video0)", "unicam (/dev/video1)", "cameras"])
        #expect(findings[0].finding == "raw sensor node; it needs libcamera")
        #expect(findings[1].finding == "it offers only unsupported pixel formats: Z16")
        #expect(findings.allSatisfy { $0.level == .note && $0.remedy != nil })
        try machine.addUSBCamera(2, port: "1-1", serial: "A")
        #expect(machine.finder.findings.map(\.level) == [.fine, .note, .note])
    }

    @Test("A camera that is open elsewhere is noted with the process that has it")
    func busy() throws {
        try machine.addPlatformCamera(0, "csi.0", name: "Cam")
        try machine.write("/proc/55/comm", "cheese")
        try machine.rawLink("/proc/55/fd/4", "/dev/video0")
        let finding = try #require(machine.finder.findings.first)
        #expect(finding.level == .note && finding.finding == "it is open in cheese (pid 55)")
        #expect(finding.remedy == .advice("If it delivers no frames here, end the other program."))
    }

    @Test("Nobody is told to end what feeds a virtual camera")
    func fed() throws {
        try machine.addVirtualCamera(9, label: "Studio")
        machine.probe.set(
            "/dev/video9", NodeDescription(kind: .camera, driver: "v4l2 loopback", card: "Studio", bus: ""))
        try machine.write("/proc/55/comm", "ffmpeg")
        try machine.rawLink("/proc/55/fd/4", "/dev/video9")
        let finding = try #require(machine.finder.findings.first)
        #expect(finding.level == .fine && finding.remedy == nil)
        #expect(finding.finding == "ready; it is open in ffmpeg (pid 55), which may supply its frames")
    }

    @Test("A missing right, a missing file, a broken device and broken settings are problems with advice")
    func broken() throws {
        for number in 0..<3 { try machine.addPlatformCamera(number, "csi.\(number)") }
        machine.probe.fail("/dev/video0", ObscuraError(.capture, .notAuthorized, subject: "a", reason: "no", errno: 1))
        machine.probe.fail("/dev/video1", ObscuraError(.capture, .noSuchDevice, subject: "b", reason: "no file"))
        try machine.remove("/dev/video1")
        machine.probe.fail(
            "/dev/video2", ObscuraError(.capture, .deviceFailed, subject: "c", reason: "input/output error"))
        try machine.write("/users/obscura/devices.json", "{x")
        let problems = problems()
        #expect(
            problems.map(\.finding).dropLast() == [
                "this process has no permission to use it", "the kernel reports it, but its device file does not exist",
                "input/output error",
            ])
        #expect(problems.map { $0.remedy != nil } == [true, true, false, true])
        #expect(problems.last?.subject == machine.settings.path)
        #expect(!Diagnosis(findings: problems).isHealthy)
    }
}
