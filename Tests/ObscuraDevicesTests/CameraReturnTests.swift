// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Testing

@testable import ObscuraDevices

/// A camera that was pulled is found again, and no other is taken for it.
@Suite struct CameraReturnTests {
    private let machine: FakeMachine
    private let finder: CameraFinder

    init() throws {
        machine = try FakeMachine()
        finder = machine.finder
    }

    @Test("A camera with a serial number is found in another port, under another node")
    func otherPort() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "SN1")
        let camera = try #require(finder.devices.first)
        #expect(finder.path(of: camera) == "/dev/video0")
        try machine.removeNode(0)
        #expect(finder.path(of: camera) == nil)
        try machine.addUSBCamera(2, port: "1-2.4", serial: "SN1")
        #expect(finder.path(of: camera) == "/dev/video2")
    }

    @Test("A duplicate that came later does not take over the id, nor the session, of one that was pulled")
    func duplicateRemains() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "SN1")
        let camera = try #require(finder.devices.first)
        try machine.addUSBCamera(1, port: "1-2", serial: "SN1")
        #expect(finder.path(of: camera) == "/dev/video0")
        try machine.removeNode(0)
        // By its name alone, the one that is left would be it.
        #expect(finder.path(named: camera.uniqueID) == "/dev/video1")
        #expect(finder.path(of: camera) == nil)
        try machine.addUSBCamera(3, port: "1-1", serial: "SN1")
        #expect(finder.path(of: camera) == "/dev/video3")
    }

    @Test("A camera that was found beside its duplicate is not taken for it, either")
    func foundAsDuplicate() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "SN1")
        try machine.addUSBCamera(1, port: "1-2", serial: "SN1")
        let cameras = finder.devices
        #expect(cameras.map(finder.path(of:)) == ["/dev/video0", "/dev/video1"])
        try machine.removeNode(1)
        #expect(cameras.map(finder.path(of:)) == ["/dev/video0", nil])
    }

    @Test("Another camera in the place of one with a serial number is not that one")
    func otherCameraInPlace() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "SN1")
        let camera = try #require(finder.devices.first)
        try machine.removeNode(0)
        try machine.remove("/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1")
        try machine.addUSBCamera(0, port: "1-1", serial: "SN2")
        #expect(finder.path(of: camera) == nil)
    }

    @Test("Without a serial number the place alone counts")
    func withoutSerial() throws {
        try machine.addUSBCamera(0, port: "1-1")
        let camera = try #require(finder.devices.first)
        try machine.removeNode(0)
        try machine.addUSBCamera(0, port: "1-2")
        #expect(finder.path(of: camera) == nil)
        try machine.addUSBCamera(1, port: "1-1")
        #expect(finder.path(of: camera) == "/dev/video1")
    }

    @Test("Cameras of one card, which come and go together, are not taken for one another while they do")
    func oneCard() throws {
        for number in 0...1 { try machine.addPlatformCamera(number, "card.0") }
        let cameras = finder.devices
        #expect(cameras.map(finder.path(of:)) == ["/dev/video0", "/dev/video1"])
        try machine.removeNode(0)
        // The second is now the first, by its place alone.
        #expect(cameras.map(finder.path(of:)) == [nil, nil])
        try machine.removeNode(1)
        try machine.addPlatformCamera(2, "card.0")
        #expect(cameras.map(finder.path(of:)) == [nil, nil])
        try machine.addPlatformCamera(3, "card.0")
        #expect(cameras.map(finder.path(of:)) == ["/dev/video2", "/dev/video3"])
        // A card that has fewer from now on is another one.
        try machine.removeNode(3)
        let alone = try #require(finder.devices.first)
        #expect(finder.path(of: alone) == "/dev/video2")
    }

    @Test("The functions of one device are no duplicates: each is found again in another port")
    func functions() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "A1", interface: 0)
        try machine.addUSBCamera(2, port: "1-1", serial: "A1", interface: 2)
        let cameras = finder.devices
        for number in [0, 2] { try machine.removeNode(number) }
        try machine.addUSBCamera(4, port: "1-3", serial: "A1", interface: 2)
        try machine.addUSBCamera(5, port: "1-3", serial: "A1", interface: 0)
        #expect(cameras.map(finder.path(of:)) == ["/dev/video5", "/dev/video4"])
    }

    @Test("Virtual cameras go by their labels, and two with one label by their nodes")
    func virtual() throws {
        try machine.addVirtualCamera(9, label: "Studio")
        let camera = try #require(finder.devices.first)
        try machine.removeNode(9)
        try machine.addVirtualCamera(11, label: "Studio")
        #expect(finder.path(of: camera) == "/dev/video11")
        try machine.remove("/sys/devices/virtual/video4linux/video9")
        try machine.addVirtualCamera(9, label: "Studio")
        #expect(finder.path(of: camera) == "/dev/video9")
        try machine.removeNode(9)
        #expect(finder.path(of: camera) == nil)
    }
}
