// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A camera or a microphone of the machine, as pages see it.
struct DeviceDescription: Codable, Sendable, Equatable {
    enum Kind: String, Codable, Sendable {
        case camera, microphone
    }

    var id: String
    var name: String
    var kind: Kind
    var position: CaptureDevice.Position
    /// Whether it comes with Obscura, and not with the machine.
    var isBuiltIn: Bool
    var authorization: AuthorizationStatus
    /// What to do where it may not be used.
    var advice: String?

    init(_ device: CaptureDevice, kind: Kind, isBuiltIn: Bool) {
        id = device.uniqueID
        name = device.localizedName
        self.kind = kind
        position = device.position
        self.isBuiltIn = isBuiltIn
        authorization = device.authorizationStatus
        guard authorization == .denied || authorization == .restricted else { return }
        advice = (device.driver.accessRemedy ?? .joinGroup(kind == .camera ? "video" : "audio")).pageText
    }
}

/// What there is.
struct DeviceLists: Codable, Sendable, Equatable {
    var cameras: [DeviceDescription] = []
    var microphones: [DeviceDescription] = []

    var cameraIDs: Set<String> { Set(cameras.map(\.id)) }
}
