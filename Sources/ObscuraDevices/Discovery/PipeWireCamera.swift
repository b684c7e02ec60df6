// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// A camera of PipeWire, with what decides whether the kernel has it as well.
struct PipeWireCamera: Sendable, Hashable {
    let device: FoundDevice
    /// The camera's node of the kernel, such as `/dev/video0`; nil for a camera of libcamera or of a program.
    let kernelPath: String?
    /// The numbers of the kernel's nodes that libcamera uses for this camera (`st_rdev`).
    let kernelNumbers: Set<UInt64>

    /// Returns the cameras among a daemon's objects, in the order of the session manager's preference.
    static func all(in objects: PipeWireObjects, settings: DeviceSettings) -> [PipeWireCamera] {
        let nodes = objects.nodes.filter { $0.isCamera && !$0.name.isEmpty }.sorted {
            ($1.priority, $0.name) < ($0.priority, $1.name)
        }
        // A second node with the same name could not be told apart after a restart.
        var seen: Set<String> = []
        let unique = nodes.filter { seen.insert($0.name).inserted }
        return unique.map { PipeWireCamera($0, device: objects.device(of: $0), settings: settings) }
    }

    private init(_ node: PipeWireObject, device: PipeWireObject?, settings: DeviceSettings) {
        let property = { (key: String) in node.properties[key] ?? device?.properties[key] }
        let name = DeviceName.shown(node.properties["node.description"] ?? property("device.product.name") ?? "")
        kernelPath = property("api.v4l2.path")
        kernelNumbers = Set(Self.numbers(property("device.devids") ?? ""))
        var found = FoundDevice(
            uniqueID: node.name, path: node.path, place: node.name, lastingName: nil,
            name: settings.cameras[node.name]?.name ?? (name.isEmpty ? node.name : name),
            modelID: Self.modelID(property) ?? (name.isEmpty ? node.name : name))
        found.manufacturer = property("device.vendor.name").map(DeviceName.shown)
        found.deviceType = Self.deviceType(property, hasDevice: device != nil)
        found.position = Self.position(property("api.libcamera.location")) ?? .unspecified
        if found.position == .unspecified, let chosen = settings.cameras[node.name]?.position {
            found.position = chosen
        }
        found.pipeWireNode = node.name
        self.device = found
    }

    /// Returns the model of a USB camera, such as `046d:0825`. PipeWire writes the numbers as `0x046d` or in decimal.
    private static func modelID(_ property: (String) -> String?) -> String? {
        let parts = ["device.vendor.id", "device.product.id"].compactMap { property($0).flatMap(number(of:)) }
        guard parts.count == 2 else { return nil }
        return parts.map { $0.zeroPadded(to: 4, radix: 16) }.joined(separator: ":")
    }

    private static func number(of text: String) -> Int? {
        text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
    }

    private static func deviceType(
        _ property: (String) -> String?, hasDevice: Bool
    ) -> CaptureDevice.DeviceType {
        guard hasDevice else { return .virtual }
        if let location = property("api.libcamera.location") { return location == "external" ? .external : .camera }
        return property("device.bus") == "usb" ? .external : .camera
    }

    private static func position(_ location: String?) -> CaptureDevice.Position? {
        switch location {
        case "front": .front
        case "back": .back
        default: nil
        }
    }

    /// Returns the numbers in a text such as `[ 20992, 20993 ]`.
    private static func numbers(_ text: String) -> [UInt64] {
        text.split { !$0.isNumber }.compactMap { UInt64($0) }
    }
}

extension PipeWireObject {
    /// The session manager's preference; higher comes first.
    fileprivate var priority: Int { properties["priority.session"].flatMap { Int($0) } ?? 0 }
}
