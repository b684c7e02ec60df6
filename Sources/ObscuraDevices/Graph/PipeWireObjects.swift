// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A node or a device of PipeWire, by its properties.
///
/// https://docs.pipewire.org/page_man_pipewire-props_7.html
struct PipeWireObject: Sendable, Hashable {
    /// The number in the daemon, which may be reused for another object.
    let id: UInt32
    let properties: [String: String]

    /// The number that is never reused while the daemon runs.
    var serial: String { properties["object.serial"] ?? String(id) }
    /// The serial number in the form of a path: nodes have no files.
    var path: String { "pipewire:\(serial)" }
    /// The name of a node, which the session manager makes of the place of the hardware: the same after a restart.
    var name: String { properties["node.name"] ?? "" }

    /// Whether it is the node of a camera. A source of frames without this role is a part of a screen, a window or
    /// another program's picture.
    var isCamera: Bool { properties["media.class"] == "Video/Source" && properties["media.role"] == "Camera" }
    /// Whether it is the node of a microphone, or of a program that acts as one.
    var isMicrophone: Bool { properties["media.class"]?.hasPrefix("Audio/Source") == true }
    /// Whether it is the node of speakers or headphones, of which the sound can be captured.
    var isSink: Bool { ["Audio/Sink", "Audio/Duplex"].contains(properties["media.class"]) }
}

/// The objects of a daemon.
struct PipeWireObjects: Sendable {
    private(set) var nodes: [PipeWireObject] = []
    /// Whether a session manager runs: without one, no stream gets frames or sound.
    var hasSessionManager = false
    private var devices: [UInt32: PipeWireObject] = [:]
    private var offersByNode: [UInt32: [PipeWireOffer]] = [:]

    mutating func add(_ object: PipeWireObject, isDevice: Bool) {
        if isDevice { devices[object.id] = object } else { nodes.append(object) }
    }

    mutating func add(_ offer: PipeWireOffer, node: UInt32) {
        offersByNode[node, default: []].append(offer)
    }

    /// The video formats of a node.
    func offers(of node: PipeWireObject) -> [PipeWireOffer] { offersByNode[node.id] ?? [] }

    /// The device of a node, such as a USB camera; nil for the node of a program.
    func device(of node: PipeWireObject) -> PipeWireObject? {
        node.properties["device.id"].flatMap { UInt32($0) }.flatMap { devices[$0] }
    }
}

/// A video format that a node offers, with one size or a range of sizes.
struct PipeWireOffer: Sendable, Hashable {
    let subtype: UInt32
    let format: UInt32
    let smallest: PixelSize
    let largest: PixelSize
    let step: PixelSize
    /// The intervals between frames; the ends of a range if `hasRateRange`, the longest first. Empty if unknown.
    let intervals: [FrameInterval]
    let hasRateRange: Bool
    /// Whether the format exists only as a DMA-BUF with a DRM modifier.
    let needsModifier: Bool
}
