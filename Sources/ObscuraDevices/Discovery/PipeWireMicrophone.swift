// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// A microphone of PipeWire, or the sound that a sink plays, with the sound card to which it belongs.
struct PipeWireMicrophone: Sendable, Hashable {
    let device: FoundDevice
    /// The number of the kernel's sound card; nil for the sound of a program, or of a Bluetooth device.
    let card: Int?

    /// Returns the microphones among a daemon's objects, and after them the sinks, whose sound can be captured too.
    static func all(in objects: PipeWireObjects) -> [PipeWireMicrophone] {
        var seen: Set<String> = []
        let nodes = objects.nodes.filter { $0.hasSound && !$0.name.isEmpty }.sorted {
            ($0.isSink ? 1 : 0, $0.name) < ($1.isSink ? 1 : 0, $1.name)
        }
        return nodes.filter { seen.insert($0.name).inserted }.map {
            PipeWireMicrophone($0, device: objects.device(of: $0))
        }
    }

    private init(_ node: PipeWireObject, device: PipeWireObject?) {
        let property = { (key: String) in node.properties[key] ?? device?.properties[key] }
        let own = DeviceName.shown(node.properties["node.description"] ?? property("device.description") ?? "")
        let name = own.isEmpty ? node.name : own
        card = (property("api.alsa.pcm.card") ?? property("alsa.card")).flatMap { Int($0) }
        var found = FoundDevice(
            uniqueID: node.name, path: node.path, place: node.name, lastingName: nil,
            name: node.isSink ? "Sound of \(name)" : name, modelID: property("device.product.name") ?? name)
        found.manufacturer = property("device.vendor.name").map(DeviceName.shown)
        found.deviceType = node.isSink || device == nil ? .virtual : .external
        found.pipeWireNode = node.name
        self.device = found
    }
}

extension PipeWireObject {
    /// Whether sound can be captured from the node.
    var hasSound: Bool { isMicrophone || isSink }

    /// The number of channels; nil if the node does not name them.
    var channelCount: Int? {
        if let count = properties["audio.channels"].flatMap({ Int($0) }) { return count }
        let positions = (properties["audio.position"] ?? "").split { !$0.isLetter && !$0.isNumber }
        return positions.isEmpty ? nil : positions.count
    }
}
