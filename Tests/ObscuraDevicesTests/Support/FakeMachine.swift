// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
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
    var nodes: [VideoNode] { VideoNode.all(in: files) }
    var ids: [String] { DeviceIdentity.identities(of: nodes).map(\.uniqueID) }
    var settings: DeviceSettingsFile { DeviceSettingsFile(path: root + "/users/obscura/devices.json") }
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

    // MARK: Sound cards

    var soundProbe: FakeSoundProbe { FakeSoundProbe(hasSystemDefault: files.status(of: "/etc/asound.conf") != nil) }
    var soundFinder: SoundFinder { SoundFinder(root: root, probe: soundProbe, settings: settings) }

    /// A card with one device from which sound comes, and one to which it goes.
    func addCard(_ card: Int, of device: String, id: String, name: String, pcm: Int = 0) throws {
        let home = "\(device)/sound/card\(card)"
        try write(home + "/id", id + "\n")
        if files.link(at: home + "/device") == nil {
            try link(home + "/device", to: device)
            try write("/dev/snd/controlC\(card)", "")
            let known = files.text(of: "/proc/asound/cards").map { $0 + "\n" } ?? ""
            try write(
                "/proc/asound/cards", "\(known) \(card) [\(id)]: Driver - \(name)\n          \(name) at somewhere\n")
        }
        for kind in ["c", "p"] {
            let node = "pcmC\(card)D\(pcm)\(kind)"
            try link("\(home)/\(node)/device", to: home)
            try link("\(home)/\(node)/subsystem", to: "/sys/class/sound")
            try link("/sys/class/sound/\(node)", to: "\(home)/\(node)")
            try write("/proc/asound/card\(card)/pcm\(pcm)\(kind)/info", "card: \(card)\nname: Device \(pcm)\n")
            try write("/dev/snd/\(node)", "")
        }
    }

    func removeCard(_ card: Int, of device: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: root + "/sys/class/sound")
        where name.hasPrefix("pcmC\(card)D") {
            try remove("/sys/class/sound/\(name)")
            try remove("/dev/snd/\(name)")
        }
        try remove("/dev/snd/controlC\(card)")
        try remove("\(device)/sound/card\(card)")
    }

    /// The card of a PCI controller.
    func addPCICard(_ card: Int, slot: String = "1f.3", id: String = "PCH", pcm: Int = 0) throws -> String {
        let device = "/sys/devices/pci0000:00/0000:00:\(slot)"
        try subsystem(device, "pci")
        try addCard(card, of: device, id: id, name: "HDA Intel \(id)", pcm: pcm)
        return device
    }

    /// A USB microphone; `port` such as `1-2.4`.
    func addUSBMicrophone(_ card: Int, port: String, serial: String? = nil, id: String = "Mic") throws -> String {
        let controller = "/sys/devices/pci0000:00/0000:00:14.0"
        let device = "\(controller)/usb1/\(port)"
        let function = "\(device)/\(port):1.0"
        try subsystem(controller, "pci")
        try subsystem(controller + "/usb1", "usb")
        try subsystem(device, "usb")
        try subsystem(function, "usb")
        try write(device + "/idVendor", "0d8c\n")
        try write(device + "/idProduct", "0014\n")
        try write(device + "/product", "Blue Yeti\n")
        if let serial { try write(device + "/serial", serial + "\n") }
        try write(function + "/bInterfaceNumber", "00\n")
        try addCard(card, of: function, id: id, name: "Blue Yeti")
        return function
    }

    private func subsystem(_ path: String, _ name: String) throws {
        if files.link(at: path + "/subsystem") == nil { try link(path + "/subsystem", to: "/sys/bus/\(name)") }
    }
}

/// Answers for libasound.
struct FakeSoundProbe: SoundProbe {
    var hasSystemDefault: Bool
}

/// Answers for nodes: each takes pictures, unless something else was said.
final class FakeProbe: VideoNodeProbe {
    private let answers = Lock<[String: Result<NodeDescription, ObscuraError>]>([:])

    func set(_ path: String, _ answer: NodeDescription) {
        answers.withLock { $0[path] = .success(answer) }
    }

    func fail(_ path: String, _ error: ObscuraError) {
        answers.withLock { $0[path] = .failure(error) }
    }

    func describe(path: String) throws(ObscuraError) -> NodeDescription {
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

    static let metadata = NodeDescription(kind: .metadata, driver: "fake", card: "", bus: "")
}
