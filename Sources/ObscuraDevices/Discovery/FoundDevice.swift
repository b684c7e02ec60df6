// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// A camera or a microphone as discovery found it.
struct FoundDevice: Sendable, Hashable {
    /// The unique id, the same after a restart and on another port; see ``DeviceIdentity``.
    var uniqueID: String
    /// The current node, such as `/dev/video0`; libasound's name for the system default, which has no node. A device
    /// that is connected again may get another one.
    var path: String
    /// The place on the bus; see ``DeviceIdentity``.
    var place: String
    /// The name that does not depend on the port; nil if the device has none. See ``DeviceIdentity``.
    var lastingName: String?
    /// The display name, different from those of the other listed devices.
    var name: String
    /// The model: `046d:0825` on USB, else the driver's or the sound card's name.
    var modelID: String
    /// The manufacturer's name in the USB descriptors.
    var manufacturer: String?
    var deviceType: CaptureDevice.DeviceType = .camera
    /// The direction that a camera faces, as the driver reports it, else from the user's settings.
    var position: CaptureDevice.Position = .unspecified
    /// The clockwise rotation that makes a camera's frames upright, in degrees: 0, 90, 180 or 270.
    var rotation = 0
    /// The permission of this process to open the node.
    var authorization: AuthorizationStatus = .authorized
    /// The reason for a missing permission; nil if it is not missing.
    var accessReason: AccessReason?
    /// The remedy for a missing permission; nil if it is not missing.
    var accessRemedy: Remedy?

    /// The name of the device's node in PipeWire; nil if the device is used by another driver.
    var pipeWireNode: String?
    /// The driver of a camera, and why it was chosen.
    var driverSelection: CameraDriverSelection?

    /// libasound's `default`: the sound server (PipeWire, PulseAudio) if one is set up, with the microphone that the
    /// user has selected in it.
    static let systemDefault = FoundDevice(
        uniqueID: "default", path: "default", place: "default", lastingName: nil, name: "System default",
        modelID: "default", deviceType: .virtual)

    var isSystemDefault: Bool { path == Self.systemDefault.path }

    /// Whether both are the same device in the same place. Compares no unique ids: they change when a duplicate of the
    /// device is connected or disconnected.
    func isSameDevice(as other: FoundDevice) -> Bool {
        place == other.place && lastingName == other.lastingName
    }
}

extension Sequence<FoundDevice> {
    /// The devices, the default one first: permitted devices before others, hardware before virtual devices; otherwise
    /// in the order of the sequence.
    var ranked: [FoundDevice] {
        enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
    }
}

extension FoundDevice {
    fileprivate var rank: Int {
        (authorization == .authorized ? 0 : 2) + (deviceType == .virtual ? 1 : 0)
    }
}
