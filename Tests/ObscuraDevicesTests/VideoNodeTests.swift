// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Testing

@testable import ObscuraDevices

/// Whatever stands in sysfs, reading it ends, and ends well.
@Suite struct VideoNodeTests {
    private let machine: FakeMachine

    init() throws {
        machine = try FakeMachine()
    }

    @Test("A machine without the folder has no nodes")
    func nothing() throws {
        #expect(VideoNode.all(in: FileTree(root: machine.root + "/nowhere")).isEmpty)
        #expect(machine.nodes.isEmpty)
    }

    @Test("Nodes that are no video, dangling links and links in a circle are passed over")
    func otherNodes() throws {
        try machine.addPlatformCamera(0, "vivid.0")
        let names = ["vbi0", "radio0", "v4l-subdev0", "video", "video-1", "videox", "video99999999999999999999"]
        for name in names {
            try machine.link("/sys/class/video4linux/\(name)", to: "/sys/devices/platform/vivid.0")
        }
        try machine.rawLink("/sys/class/video4linux/video7", "../../nothing/there")
        try machine.rawLink("/sys/class/video4linux/video8", "video8")
        try machine.rawLink("/sys/class/video4linux/video9", "/etc")
        #expect(machine.nodes.map(\.systemName) == ["video0"])
    }

    @Test("A node of which nothing can be read is still one, by its name")
    func emptyNode() throws {
        try FileManager.default.createDirectory(
            atPath: machine.root + "/sys/class/video4linux/video3", withIntermediateDirectories: true)
        let node = try #require(machine.nodes.first)
        #expect(node.path == "/dev/video3" && node.index == 0 && node.name.isEmpty && node.usb == nil)
        #expect(machine.ids == ["virtual-video3"])
    }

    @Test("Attributes of garbage are taken for what can be taken of them")
    func garbage() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "A1")
        let home = "/sys/class/video4linux/video0"
        try machine.write(home + "/name", [0xff, 0xfe, 0x0a, 0x1b, 0x5b, 0x31, 0x6d, 0x41])
        try machine.write(home + "/index", "-7 or so")
        try machine.write(home + "/uevent", "DEVNAME=../../etc/passwd\n\u{0}=\n=\nDEVNAME")
        let node = try #require(machine.nodes.first)
        #expect(node.name == "\u{fffd}\u{fffd} [1mA")
        #expect(node.index == 0 && node.path == "/dev/video0")
    }

    @Test("A huge attribute is read only in its beginning")
    func huge() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "A1")
        try machine.write("/sys/class/video4linux/video0/name", [UInt8](repeating: 0x41, count: 5 << 20))
        #expect(machine.nodes.first?.name == String(repeating: "A", count: 200))
    }

    @Test("A pipe, a folder and a link in a circle in the place of an attribute stop nothing")
    func strangeFiles() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "A1")
        let device = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1"
        try machine.remove(device + "/serial")
        #expect(mkfifo(machine.root + device + "/serial", 0o600) == 0)
        try machine.remove(device + "/product")
        try machine.write(device + "/product/a-file", "")
        try machine.remove("/sys/class/video4linux/video0/name")
        try machine.rawLink("/sys/class/video4linux/video0/name", "name")
        let node = try #require(machine.nodes.first)
        #expect(node.name.isEmpty && node.usb?.productName == nil)
        #expect(machine.ids == ["pci-0000:00:14.0-usb-0:1:1.0-video-index0"])
    }

    @Test("A vendor's number that is no number leaves the place on the bus")
    func brokenVendor() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "A1")
        try machine.write("/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1/idVendor", "zz/../")
        #expect(machine.ids == ["pci-0000:00:14.0-usb-0:1:1.0-video-index0"])
    }

    @Test("Nodes stand in the order of their numbers, not of their letters")
    func order() throws {
        for number in [10, 2, 0] { try machine.addPlatformCamera(number, "vivid.\(number)") }
        #expect(machine.nodes.map(\.number) == [0, 2, 10])
    }
}
