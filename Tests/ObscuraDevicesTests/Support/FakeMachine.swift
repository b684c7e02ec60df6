// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraCapture
import ObscuraMedia

@testable import ObscuraDevices

/// A folder that stands for the root of a machine, with the files of its kernel.
final class FakeMachine: Sendable {
    let root: String
    let probe = FakeProbe()

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)").path
        for folder in ["/sys/class/video4linux", "/dev", "/etc", "/proc"] {
            try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    var files: FileTree { FileTree(root: root) }
    var nodes: [VideoNode] { DeviceTree(root: root).nodes }
    var ids: [String] { DeviceIdentity.identities(of: nodes).map(\.uniqueID) }
    var settings: DeviceSettingsFile { DeviceSettingsFile(path: root + "/users/obscura/devices.toml") }
    var finder: CameraFinder { CameraFinder(root: root, probe: probe, settings: settings) }

    func write(_ path: String, _ text: String) throws {
        try write(path, Array(text.utf8))
    }

    func write(_ path: String, _ bytes: [UInt8]) throws {
        let folder = (root + path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: root + path))
    }

    /// A link at `path` that leads to another path of the machine, relative as sysfs has them.
    func link(_ path: String, to target: String) throws {
        let up = String(repeating: "../", count: path.split(separator: "/").count - 1)
        try rawLink(path, up + target.dropFirst())
    }

    func rawLink(_ path: String, _ text: String) throws {
        let folder = (root + path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: root + path, withDestinationPath: text)
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: root + path)
    }

    /// A node of the device at `device` of sysfs, and its file in `/dev`.
    func addNode(_ number: Int, of device: String?, name: String, index: Int = 0) throws {
        let home = (device ?? "/sys/devices/virtual") + "/video4linux/video\(number)"
        try write(home + "/name", name + "\n")
        try write(home + "/index", "\(index)\n")
        try write(home + "/dev", "81:\(number)\n")
        try write(home + "/uevent", "MAJOR=81\nMINOR=\(number)\nDEVNAME=video\(number)\n")
        try link(home + "/subsystem", to: "/sys/class/video4linux")
        if let device { try link(home + "/device", to: device) }
        try link("/sys/class/video4linux/video\(number)", to: home)
        // The file comes last, as with the kernel.
        try write("/dev/video\(number)", "")
    }

    func removeNode(_ number: Int) throws {
        try remove("/sys/class/video4linux/video\(number)")
        try remove("/dev/video\(number)")
    }

    func addPlatformCamera(_ number: Int, _ device: String, name: String = "a camera") throws {
        let path = "/sys/devices/platform/\(device)"
        try addNode(number, of: path, name: name)
        try subsystem(path, "platform")
        if device.hasPrefix("soc/") { try subsystem("/sys/devices/platform/soc", "platform") }
    }

    func addVirtualCamera(_ number: Int, label: String) throws {
        try addNode(number, of: nil, name: label)
    }

    /// A USB camera behind the first controller; `port` such as `1-2.4`.
    func addUSBCamera(
        _ number: Int, port: String, serial: String? = nil, product: String = "HD Pro Webcam C920",
        manufacturer: String? = nil, index: Int = 0, interface: Int = 0, removable: String = "removable"
    ) throws {
        let controller = "/sys/devices/pci0000:00/0000:00:14.0"
        let device = "\(controller)/usb1/\(port)"
        let function = "\(device)/\(port):1.\(interface)"
        if files.status(of: device) == nil {
            try subsystem(controller, "pci")
            try subsystem(controller + "/usb1", "usb")
            try subsystem(device, "usb")
            try write(device + "/idVendor", "046d\n")
            try write(device + "/idProduct", "082d\n")
            try write(device + "/product", product + "\n")
            try write(device + "/removable", removable + "\n")
            if let manufacturer { try write(device + "/manufacturer", manufacturer + "\n") }
            if let serial { try write(device + "/serial", serial + "\n") }
        }
        if files.status(of: function) == nil {
            try subsystem(function, "usb")
            try write(function + "/bInterfaceNumber", "0\(interface)\n")
        }
        try addNode(number, of: function, name: product, index: index)
    }

    private func subsystem(_ path: String, _ name: String) throws {
        if files.link(at: path + "/subsystem") == nil { try link(path + "/subsystem", to: "/sys/bus/\(name)") }
    }
}

/// Answers for nodes: each takes pictures, unless something else was said.
final class FakeProbe: VideoNodeProbe {
    private let answers = Lock<[String: Result<NodeDescription, CaptureError>]>([:])

    func set(_ path: String, _ answer: NodeDescription) {
        answers.withLock { $0[path] = .success(answer) }
    }

    func fail(_ path: String, _ error: CaptureError) {
        answers.withLock { $0[path] = .failure(error) }
    }

    func describe(path: String) throws(CaptureError) -> NodeDescription {
        try (answers.withLock { $0[path] } ?? .success(.camera())).get()
    }
}

extension NodeDescription {
    static func camera(
        card: String = "a card", orientation: CaptureDevice.Position? = nil, rotation: Int? = nil
    ) -> NodeDescription {
        NodeDescription(
            kind: .camera, driver: "fake", card: card, bus: "", orientation: orientation, rotation: rotation)
    }

    static let metadata = NodeDescription(kind: .other, driver: "fake", card: "", bus: "")
}
