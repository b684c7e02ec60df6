// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// Which processes have a node.
@Suite struct DeviceUsersTests {
    private let machine: FakeMachine

    init() throws {
        machine = try FakeMachine()
        try machine.write("/dev/video0", "")
    }

    private func add(_ process: Int, _ name: String, _ targets: [String]) throws {
        try machine.write("/proc/\(process)/comm", name + "\n")
        for (number, target) in targets.enumerated() { try machine.rawLink("/proc/\(process)/fd/\(number)", target) }
    }

    private func users() -> DeviceUsers {
        DeviceUsers(of: "/dev/video0", in: machine.files, ownProcess: 7)
    }

    @Test("Another process is named with its number")
    func other() throws {
        try add(1234, "ffmpeg", ["/dev/null", "pipe:[7]", "/dev/video0"])
        try add(20, "cat", ["/dev/video1"])
        #expect(users().others == [ObscuraError.Holder(pid: 1234, name: "ffmpeg")])
        #expect(users().reason == "in use; it is open in ffmpeg (pid 1234)")
        let error = ObscuraError.system(EBUSY, "/dev/video0", "it cannot be started", files: machine.files)
        #expect(error.code == .deviceInUse && error.holders.map(\.pid) == [1234])
        #expect(error.description.hasPrefix("/dev/video0: in use; it is open in ffmpeg (pid 1234)."))
    }

    @Test("Of many, three are named")
    func many() throws {
        for process in 1...5 { try add(process, "p\(process)", ["/dev/video0"]) }
        #expect(users().names == "p1 (pid 1), p2 (pid 2), p3 (pid 3) and 2 more")
    }

    @Test("One descriptor of our own is that of whoever asks; two are a second session")
    func own() throws {
        try add(7, "us", ["/dev/video0"])
        #expect(users().ownCount == 1 && users().reason == "in use by another process (not visible to this process)")
        try machine.rawLink("/proc/7/fd/9", "/dev/video0")
        #expect(users().reason == "in use by this process already" && users().others.isEmpty)
        #expect(users().remedy == .stopOtherSession)
        try add(8, "guvcview", ["/dev/video0"])
        #expect(users().reason == "in use; it is open in this process already, and in guvcview (pid 8)")
        #expect(users().remedy == .stopOtherSession)
    }

    @Test("Who tries again and again does not look at every process")
    func withoutHolders() throws {
        try add(1234, "ffmpeg", ["/dev/video0"])
        let error = ObscuraError.system(
            EBUSY, "/dev/video0", "it cannot be started", namesHolders: false, files: machine.files)
        #expect(error.code == .deviceInUse && error.holders.isEmpty && error.reason == "in use")
        #expect(error.remedy == .waitForDevice)
    }

    @Test("A process into which nobody may look is said to be there")
    func hidden() throws {
        try machine.write("/proc/30/comm", "secret")
        #expect(users().hasHidden && users().reason == "in use by another process (not visible to this user)")
    }

    @Test("Names of garbage and strange folders end nothing")
    func garbage() throws {
        try machine.write("/proc/12/comm", [0x1b, 0x5b, 0xff, 0x0a, 0x0a])
        try machine.rawLink("/proc/12/fd/0", "/dev/video0")
        try machine.rawLink("/proc/13", "13")
        try machine.write("/proc/14", "a file")
        try machine.write("/proc/-3/fd/0", "")
        try machine.write("/proc/99999999999999999999/comm", "x")
        #expect(users().others == [ObscuraError.Holder(pid: 12, name: "[\u{fffd}")])
    }

    @Test("The descriptors of this very process are found by the device's number")
    func real() throws {
        let file = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        defer { try? file.close() }
        #expect(DeviceUsers(of: "/dev/null").ownCount >= 1)
        // Its standard output is /dev/null, and it reads for as long as it is let.
        let child = try BackgroundTool("tail", ["-f", "/dev/zero", "--bytes=0"])
        defer { child.stop() }
        let users = DeviceUsers(of: "/dev/null")
        #expect(users.others.contains { $0.pid == child.identifier })
    }
}
