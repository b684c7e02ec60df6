// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// The cameras among the nodes, put in words and in order. A pure function of what was seen.
struct CameraListing: Sendable {
    /// One node, and what came of asking it.
    struct Seen: Sendable {
        let node: VideoNode
        let identity: DeviceIdentity
        let description: Result<NodeDescription, ObscuraError>
        let access: NodeAccess
    }

    /// The default camera first: those that this process may use come before those that it may not, devices
    /// before the programs that pose as one, and then they stand as the kernel numbers them.
    let cameras: [FoundCamera]

    init(_ seen: [Seen], settings: DeviceSettings) {
        let found = seen.filter(\.isCamera)
        let names = DeviceName.distinct(
            found.map { settings.cameras[$0.identity.uniqueID]?.name ?? $0.ownName },
            by: found.map(\.identity.uniqueID))
        let cameras = found.enumerated().map { index, seen in
            (number: seen.node.number, camera: seen.camera(named: names[index], settings))
        }
        self.cameras = cameras.sorted { $0.number < $1.number }.map(\.camera)
            .enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element)
    }
}

extension CameraListing.Seen {
    /// Whether it is a camera. What cannot be asked (no right, in use, out of descriptors) is taken for one if
    /// sysfs has nothing against it; what is not there is none.
    fileprivate var isCamera: Bool {
        switch description {
        case .success(let description): description.kind == .camera
        case .failure(let error): error.code != .noSuchDevice && error.code != .deviceDisconnected && node.mayBeCamera
        }
    }

    fileprivate var ownName: String {
        if let name = node.usb?.productName { return name }
        if !node.name.isEmpty { return node.name }
        let card = DeviceName.shown((try? description.get().card) ?? "")
        return card.isEmpty ? node.systemName : card
    }

    fileprivate func camera(named name: String, _ settings: DeviceSettings) -> FoundCamera {
        let description = try? description.get()
        let card = DeviceName.shown(description?.card ?? "")
        let model = node.usb?.modelID ?? (card.isEmpty ? ownName : card)
        return FoundCamera(
            uniqueID: identity.uniqueID, path: node.path, place: identity.place, lastingName: identity.lastingName,
            name: name, modelID: model, manufacturer: node.usb?.manufacturerName, deviceType: deviceType,
            position: position(description, settings), rotation: rotation(description),
            authorization: access.status, accessRemedy: access.remedy)
    }

    private var deviceType: CaptureDevice.DeviceType {
        if node.isVirtual { return .virtual }
        guard let usb = node.usb else { return .camera }
        return usb.isFixed ? .camera : .external
    }

    /// The driver's word counts first; where it says nothing, or that the camera is outside of the machine,
    /// the user's does.
    private func position(_ description: NodeDescription?, _ settings: DeviceSettings) -> CaptureDevice.Position {
        if let orientation = description?.orientation, orientation != .unspecified { return orientation }
        return settings.cameras[identity.uniqueID]?.position ?? .unspecified
    }

    /// Clockwise, a whole number of right angles; what a driver says else is not believed. The kernel counts
    /// the turn that a picture needs counterclockwise (ext-ctrls-camera.rst of its documentation).
    private func rotation(_ description: NodeDescription?) -> Int {
        guard let rotation = description?.rotation, rotation % 90 == 0 else { return 0 }
        return ((360 - rotation % 360) % 360 + 360) % 360
    }
}

extension FoundCamera {
    fileprivate var rank: Int {
        (authorization == .authorized ? 0 : 2) + (deviceType == .virtual ? 1 : 0)
    }
}
