// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// Rights and who has them.
@Suite struct NodeAccessTests {
    private let machine: FakeMachine

    init() throws {
        machine = try FakeMachine()
    }

    private func access(
        isAllowed: Bool = false, openStatus: Int32? = nil, mode: UInt32 = 0o660, group: UInt32 = 44,
        groupName: String? = "video", groups: Set<UInt32> = [1000], listed: Set<UInt32> = [1000]
    ) -> NodeAccess {
        NodeAccess(
            isAllowed: isAllowed, openStatus: openStatus,
            node: NodeRights(path: "/dev/video0", mode: mode, group: group, groupName: groupName),
            process: ProcessRights(groups: groups, listedGroups: listed))
    }

    @Test("What the rights allow and opening does not refuse is authorized")
    func authorized() {
        #expect(access(isAllowed: true) == .granted)
        #expect(access(isAllowed: true, openStatus: EBUSY) == .granted)
        #expect(NodeAccess.granted.reason == nil)
    }

    @Test("Without the right, the group of the node is named", arguments: ["video", "cameras"])
    func group(name: String) {
        let access = access(groupName: name)
        #expect(access.status == .denied && access.reason == .filePermissions)
        #expect(access.remedy == .joinGroup(name))
    }

    @Test("Who is in the group by the system's files, and not by the kernel, must log in again")
    func staleLogin() {
        let access = access(listed: [1000, 44])
        #expect(access.status == .denied)
        #expect(
            access.remedy == .advice("This user was added to the group video after the login: log out and in again."))
    }

    @Test(
        "Where joining the group would not help, a udev rule does",
        arguments: [(UInt32(0o600), UInt32(44), UInt32(1)), (0o660, 0, 1), (0o640, 44, 1), (0o660, 44, 44)])
    func noGroup(mode: UInt32, group: UInt32, own: UInt32) {
        let access = access(mode: mode, group: group, groups: [own])
        #expect(access.status == .denied)
        #expect(access.remedy == .allowGroup("video", subsystem: "video4linux"))
    }

    @Test("A group without a name is joined by its number")
    func namelessGroup() {
        #expect(access(groupName: nil).remedy == .addGroupToContainer(44))
    }

    @Test("What the rights allow and the system refuses is restricted", arguments: [EPERM, EACCES])
    func restricted(status: Int32) {
        let access = access(isAllowed: true, openStatus: status)
        #expect(access.status == .restricted && access.reason == .systemPolicy)
        #expect(access.remedy == .addDeviceToContainer("/dev/video0"))
    }

    @Test("Users and groups are those of the system, from wherever it has them")
    func database() throws {
        #expect(UserDatabase.groupName(0) == "root" && UserDatabase.groupName(4_000_000_001) == nil)
        #expect(UserDatabase.groups(ofUser: 4_000_000_001).isEmpty)
        for number in [0, 1, 65534] as [UInt32] {
            let listed = String(decoding: try Tool.run("id", ["-G", "\(number)"]), as: UTF8.self)
            let groups = listed.split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) }
            #expect(UserDatabase.groups(ofUser: number) == Set(groups))
        }
        #expect(ProcessRights.current.groups.contains(getegid()))
    }

    @Test("The error of a node without rights has the node's own advice")
    func systemError() throws {
        try machine.write("/dev/video0", "")
        let error = ObscuraError.system(EPERM, "/dev/video0", "it cannot be opened", files: machine.files)
        #expect(error.code == .notAuthorized && error.errno == EPERM)
        #expect(error.remedy == .addDeviceToContainer("/dev/video0"))
    }
}
