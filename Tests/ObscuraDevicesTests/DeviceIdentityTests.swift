// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Testing

@testable import ObscuraDevices

/// The names of nodes, from fake trees of sysfs.
@Suite struct DeviceIdentityTests {
    private let machine: FakeMachine

    init() throws {
        machine = try FakeMachine()
    }

    @Test("A USB camera with a serial number is named as udev's by-id link, whatever its port")
    func serial() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "1234ABCD")
        #expect(machine.ids == ["usb-046d_HD_Pro_Webcam_C920_1234ABCD-video-index0"])
        let other = try FakeMachine()
        try other.addUSBCamera(3, port: "1-2.4", serial: "1234ABCD")
        #expect(other.ids == machine.ids)
    }

    @Test("Two of one model without serial numbers are named by their ports, in either order of discovery")
    func sameModel() throws {
        try machine.addUSBCamera(0, port: "1-2", product: "Webcam")
        try machine.addUSBCamera(1, port: "1-1.3", product: "Webcam")
        let ids = ["pci-0000:00:14.0-usb-0:2:1.0-video-index0", "pci-0000:00:14.0-usb-0:1.3:1.0-video-index0"]
        #expect(machine.ids == ids)
        let swapped = try FakeMachine()
        try swapped.addUSBCamera(0, port: "1-1.3", product: "Webcam")
        try swapped.addUSBCamera(1, port: "1-2", product: "Webcam")
        #expect(swapped.ids == ids.reversed())
    }

    @Test("Two with the same serial number both go by their ports")
    func sameSerial() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "SN0001")
        #expect(machine.ids == ["usb-046d_HD_Pro_Webcam_C920_SN0001-video-index0"])
        try machine.addUSBCamera(1, port: "1-2", serial: "SN0001")
        #expect(
            machine.ids == ["pci-0000:00:14.0-usb-0:1:1.0-video-index0", "pci-0000:00:14.0-usb-0:2:1.0-video-index0"])
    }

    @Test("Two functions of one device keep its serial number, on whatever port")
    func twoFunctions() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "A1", interface: 0)
        try machine.addUSBCamera(2, port: "1-1", serial: "A1", interface: 2)
        #expect(
            machine.ids == [
                "usb-046d_HD_Pro_Webcam_C920_A1-if00-video-index0", "usb-046d_HD_Pro_Webcam_C920_A1-if02-video-index0",
            ])
    }

    @Test("A metadata node of the same camera has another index, and takes nothing from the camera's name")
    func metadata() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "A1")
        try machine.addUSBCamera(1, port: "1-1", serial: "A1", index: 1)
        #expect(
            machine.ids == [
                "usb-046d_HD_Pro_Webcam_C920_A1-video-index0", "usb-046d_HD_Pro_Webcam_C920_A1-video-index1",
            ])
    }

    @Test("Platform devices are named by their places")
    func platform() throws {
        try machine.addPlatformCamera(0, "vivid.0")
        try machine.addPlatformCamera(1, "vivid.1")
        try machine.addPlatformCamera(2, "soc/fe801000.csi")
        #expect(
            machine.ids == [
                "platform-vivid.0-video-index0", "platform-vivid.1-video-index0",
                "platform-fe801000.csi-video-index0",
            ])
    }

    @Test("Virtual ones are named by their labels, and numbered only if two are equal")
    func virtual() throws {
        try machine.addVirtualCamera(9, label: "Studio Cam")
        #expect(machine.ids == ["virtual-Studio_Cam"])
        try machine.addVirtualCamera(10, label: "Studio Cam")
        try machine.addVirtualCamera(11, label: "Studio Cam-2")
        try machine.addVirtualCamera(12, label: "")
        #expect(
            machine.ids == [
                "virtual-Studio_Cam", "virtual-Studio_Cam-2", "virtual-Studio_Cam-2-2", "virtual-video12",
            ])
    }

    @Test(
        "Characters are cleaned as udev does it",
        arguments: [
            (" Logitech,  Inc. ", "Logitech__Inc."), ("a/b\\c'd", "a_b_c_d"), ("Kamera für Üb", "Kamera_für_Üb"),
            ("#+-.:=@_", "#+-.:=@_"), ("\\x20", "\\x20"), ("\t", ""),
            (String(repeating: "x", count: 70), String(repeating: "x", count: 63)),
        ])
    func cleaned(text: String, name: String) {
        #expect(DeviceName.part(text.utf8) == name)
    }

    @Test("Bytes that are no UTF-8 become underscores, also where a character was cut")
    func brokenText() {
        #expect(DeviceName.part([0x41, 0xff, 0xc3, 0x42, 0xe2, 0x82]) == "A__B__")
    }

    @Test("A serial number that tells nothing is none", arguments: ["0000", " ", "a,b", "a\u{1}b", "ä"])
    func uselessSerial(serial: String) throws {
        try machine.addUSBCamera(0, port: "1-1", serial: serial)
        #expect(machine.ids == ["pci-0000:00:14.0-usb-0:1:1.0-video-index0"])
    }

    @Test("The manufacturer's name stands in the id where there is one")
    func manufacturer() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "7", product: "Cam / 2", manufacturer: "Acme, Inc.")
        #expect(machine.ids == ["usb-Acme__Inc._Cam___2_7-video-index0"])
        #expect(machine.nodes.first?.usb?.manufacturerName == "Acme, Inc.")
    }
}
