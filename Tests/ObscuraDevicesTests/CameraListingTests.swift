// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import ObscuraCapture
import ObscuraMedia
import Testing

@testable import ObscuraDevices

/// Nodes become cameras.
@Suite struct CameraListingTests {
    private let machine: FakeMachine

    init() throws {
        machine = try FakeMachine()
    }

    private func error(_ code: ObscuraError.Code, _ number: Int32? = nil) -> ObscuraError {
        ObscuraError(.capture, code, subject: "/dev/video0", reason: "a reason", errno: number)
    }

    @Test("A UVC camera is listed once, by its product's name, without its metadata node")
    func uvc() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "A1")
        try machine.addUSBCamera(1, port: "1-1", serial: "A1", index: 1)
        machine.probe.set("/dev/video1", .metadata)
        let cameras = machine.finder.devices
        #expect(cameras.map(\.path) == ["/dev/video0"])
        let camera = try #require(cameras.first)
        #expect(camera.name == "HD Pro Webcam C920" && camera.modelID == "046d:082d")
        #expect(camera.deviceType == .external && camera.position == .unspecified && camera.rotation == 0)
        #expect(camera.authorization == .authorized && camera.accessRemedy == nil)
    }

    @Test("Outputs and converters are no cameras, whatever their index")
    func outputs() throws {
        try machine.addPlatformCamera(0, "codec.0")
        machine.probe.set("/dev/video0", .metadata)
        #expect(machine.finder.devices.isEmpty)
    }

    @Test("Cameras of the same name are numbered by their ids, in whatever order the kernel found them")
    func sameNames() throws {
        try machine.addUSBCamera(0, port: "1-2", product: "Webcam")
        try machine.addUSBCamera(1, port: "1-1", product: "Webcam")
        #expect(machine.finder.devices.map(\.name) == ["Webcam (2)", "Webcam"])
        #expect(machine.finder.devices.map(\.uniqueID).first?.contains("usb-0:2:") == true)
    }

    @Test("The default is one that may be used, and one of metal before one of a program")
    func order() throws {
        try machine.addVirtualCamera(0, label: "Loopback")
        try machine.addUSBCamera(1, port: "1-1", serial: "A")
        try machine.addPlatformCamera(2, "csi.0")
        machine.probe.fail("/dev/video1", error(.notAuthorized, EACCES))
        #expect(machine.finder.devices.map(\.path) == ["/dev/video2", "/dev/video0", "/dev/video1"])
        #expect(machine.finder.devices.map(\.deviceType) == [.camera, .virtual, .external])
    }

    @Test("A camera that nobody can unplug is a part of the machine")
    func fixed() throws {
        try machine.addUSBCamera(0, port: "1-1", removable: "fixed")
        #expect(machine.finder.devices.map(\.deviceType) == [.camera])
    }

    @Test("Orientation and rotation of a CSI camera are the driver's")
    func csi() throws {
        try machine.addPlatformCamera(0, "soc/fe801000.csi", name: "unicam-image")
        machine.probe.set("/dev/video0", .camera(card: "imx219", orientation: .back, rotation: 180))
        let camera = try #require(machine.finder.devices.first)
        #expect(camera.position == .back && camera.rotation == 180)
        #expect(camera.name == "unicam-image" && camera.modelID == "imx219")
    }

    @Test(
        "A rotation is a right angle, counted counterclockwise, or it is not believed",
        arguments: [(270, 90), (90, 270), (-90, 90), (450, 270), (0, 0), (45, 0), (Int.min, 0)])
    func rotation(said: Int, believed: Int) throws {
        try machine.addPlatformCamera(0, "csi.0")
        machine.probe.set("/dev/video0", .camera(rotation: said))
        #expect(machine.finder.devices.map(\.rotation) == [believed])
    }

    @Test("The settings say where a camera looks, but not against its driver")
    func settings() throws {
        try machine.addPlatformCamera(0, "csi.0")
        try machine.settings.set(position: .front, name: "Door", for: "platform-csi.0-video-index0")
        #expect(machine.finder.devices.map(\.position) == [.front])
        #expect(machine.finder.devices.map(\.name) == ["Door"])
        machine.probe.set("/dev/video0", .camera(orientation: .back))
        #expect(machine.finder.devices.map(\.position) == [.back])
        machine.probe.set("/dev/video0", .camera(orientation: .unspecified))
        #expect(machine.finder.devices.map(\.position) == [.front])
    }

    @Test("A broken settings file hides no camera")
    func brokenSettings() throws {
        try machine.addPlatformCamera(0, "csi.0")
        try machine.write("/users/obscura/devices.json", "{devices")
        #expect(machine.finder.devices.map(\.position) == [.unspecified])
    }

    @Test("A node without the right is listed, unless sysfs says that it is another's second node")
    func denied() throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "A")
        try machine.addUSBCamera(1, port: "1-1", serial: "A", index: 1)
        for path in ["/dev/video0", "/dev/video1"] { machine.probe.fail(path, error(.notAuthorized, EACCES)) }
        let cameras = machine.finder.devices
        #expect(cameras.map(\.path) == ["/dev/video0"])
        // The files of this tree are our own, so it is not their rights that forbid it.
        #expect(cameras.first?.authorization == .restricted)
        #expect(cameras.first?.accessRemedy == .addDeviceToContainer("/dev/video0"))
    }

    @Test("A node that is busy or breaks is listed; one that is gone is not")
    func failing() throws {
        for number in 0..<3 { try machine.addPlatformCamera(number, "csi.\(number)") }
        machine.probe.fail("/dev/video0", error(.deviceInUse, EBUSY))
        machine.probe.fail("/dev/video1", error(.deviceFailed, EIO))
        machine.probe.fail("/dev/video2", error(.deviceDisconnected, ENODEV))
        #expect(machine.finder.devices.map(\.path) == ["/dev/video0", "/dev/video1"])
    }

    @Test("A camera answers to its id, its node, links to it, and udev's names")
    func names() throws {
        try machine.addUSBCamera(0, port: "1-3", serial: "Z9")
        try machine.addUSBCamera(2, port: "1-1", serial: "A1")
        try machine.rawLink("/dev/v4l/by-id/usb-some-older_name", "../../video2")
        try machine.rawLink("/dev/webcam", "video2")
        try machine.rawLink("/dev/circle", "circle")
        let id = "usb-046d_HD_Pro_Webcam_C920_A1-video-index0"
        let names = [
            id, "/dev/video2", "/dev/webcam", "usb-some-older_name", "/dev/v4l/by-id/usb-some-older_name",
            "pci-0000:00:14.0-usb-0:1:1.0-video-index0",
        ]
        for name in names {
            #expect(machine.finder.device(named: name)?.uniqueID == id, "\(name)")
            #expect(machine.finder.path(named: name) == "/dev/video2", "\(name)")
        }
        for name in ["", "/dev/video3", "/dev/circle", "/dev", "..", "../../webcam", "video2", "/etc/passwd"] {
            #expect(machine.finder.device(named: name) == nil, "\(name)")
        }
    }
}
