// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Testing

@testable import ObscuraDevices

@Suite("The sandbox of a process, and the use of the portal")
struct CameraSandboxTests {
    @Test("A file in the root shows a Flatpak, and a variable a Snap")
    func kinds() throws {
        let root = try FakeMachine()
        #expect(CameraSandbox(files: root.files, snap: nil) == .none)
        #expect(CameraSandbox(files: root.files, snap: "") == .none)
        #expect(CameraSandbox(files: root.files, snap: "/snap/camera/1") == .snap)
        try root.write("/.flatpak-info", "[Application]\nname=org.example.App\n")
        #expect(CameraSandbox(files: root.files, snap: nil) == .flatpak)
    }

    @Test("By default the portal is used in a sandbox only, and the program can decide otherwise")
    func policy() {
        let sandboxes = [CameraSandbox.none, .flatpak, .snap]
        #expect(sandboxes.map(CameraPermission.PortalUse.automatic.applies) == [false, true, true])
        #expect(sandboxes.map(CameraPermission.PortalUse.always.applies) == [true, true, true])
        #expect(sandboxes.map(CameraPermission.PortalUse.never.applies) == [false, false, false])
        #expect(CameraPermission().portalUse == .automatic)
    }
}
