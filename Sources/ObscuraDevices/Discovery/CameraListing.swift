// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// The cameras among the scanned nodes, with names and in order, as a pure value.
struct CameraListing: Sendable {
    /// A node with the result of its query.
    struct Candidate: Sendable {
        let node: VideoNode
        let identity: DeviceIdentity
        var description: Result<NodeDescription, ObscuraError>
        let access: NodeAccess
    }

    /// The cameras, the default one first: permitted cameras before others, hardware before virtual devices, otherwise
    /// in the order of the kernel's numbers.
    let cameras: [FoundDevice]
    /// The paths of the nodes that were queried and are no cameras, such as those of infrared sensors.
    let otherPaths: Set<String>

    init(_ candidates: [Candidate], settings: DeviceSettings) {
        let found = candidates.filter(\.isCamera).sorted { $0.node.number < $1.node.number }
        let names = DeviceName.distinct(
            found.map { settings.cameras[$0.identity.uniqueID]?.name ?? $0.ownName },
            by: found.map(\.identity.uniqueID))
        cameras = zip(found, names).map { $0.camera(named: $1, settings) }.ranked
        otherPaths = Set(candidates.filter(\.isOther).map(\.node.path))
    }
}

extension CameraListing.Candidate {
    /// Returns the candidate, as an infrared sensor if it has only gray frames and another node of the same USB device has
    /// colors. Such sensors are for the recognition of the user's face, and are lit only during it.
    func recognizingInfrared(among others: [CameraListing.Candidate]) -> CameraListing.Candidate {
        guard case .success(var own) = description, own.kind == .camera, own.isGray, let device = node.usb?.devicePath
        else { return self }
        let hasColors = others.contains { other in
            guard other.node.usb?.devicePath == device, case .success(let its) = other.description else { return false }
            return its.kind == .camera && !its.isGray
        }
        guard hasColors else { return self }
        own.kind = .infrared
        var candidate = self
        candidate.description = .success(own)
        return candidate
    }

    /// Whether it is a camera. A node that cannot be queried (no permission, in use, no descriptors left) counts as one
    /// unless sysfs contradicts; a missing node does not.
    fileprivate var isCamera: Bool {
        switch description {
        case .success(let description): description.kind == .camera
        case .failure(let error): error.code != .noSuchDevice && error.code != .deviceDisconnected && node.mayBeCamera
        }
    }

    fileprivate var isOther: Bool { (try? description.get()).map { $0.kind != .camera } ?? false }

    fileprivate var ownName: String {
        if let name = node.usb?.productName { return name }
        if !node.name.isEmpty { return node.name }
        let card = DeviceName.shown((try? description.get().card) ?? "")
        return card.isEmpty ? node.systemName : card
    }

    fileprivate func camera(named name: String, _ settings: DeviceSettings) -> FoundDevice {
        let description = try? description.get()
        let card = DeviceName.shown(description?.card ?? "")
        let model = node.usb?.modelID ?? (card.isEmpty ? ownName : card)
        return FoundDevice(
            uniqueID: identity.uniqueID, path: node.path, place: identity.place, lastingName: identity.lastingName,
            name: name, modelID: model, manufacturer: node.usb?.manufacturerName, deviceType: node.deviceType,
            position: position(description, settings), rotation: rotation(description),
            authorization: access.status, accessReason: access.reason,
            accessRemedy: access.remedy)
    }

    /// Returns the driver's value; the user's setting if the driver reports none, or that the camera is outside the
    /// machine.
    private func position(_ description: NodeDescription?, _ settings: DeviceSettings) -> CaptureDevice.Position {
        if let orientation = description?.orientation, orientation != .unspecified { return orientation }
        return settings.cameras[identity.uniqueID]?.position ?? .unspecified
    }

    /// Returns the clockwise rotation in degrees; 0 for a value that is not a multiple of 90. The kernel counts the
    /// rotation that a frame needs counterclockwise (ext-ctrls-camera.rst of its documentation).
    private func rotation(_ description: NodeDescription?) -> Int {
        guard let rotation = description?.rotation, rotation % 90 == 0 else { return 0 }
        return ((360 - rotation % 360) % 360 + 360) % 360
    }
}
