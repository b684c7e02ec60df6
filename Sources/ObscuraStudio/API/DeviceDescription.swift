// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A camera or microphone of this machine, as sent to pages.
struct DeviceDescription: Codable, Sendable, Equatable {
    enum Kind: String, Codable, Sendable {
        case camera, microphone
    }

    var id: String
    var name: String
    var kind: Kind
    var position: CaptureDevice.Position
    /// Whether the device is provided by Obscura, and not by the machine.
    var isBuiltIn: Bool
    var authorization: AuthorizationStatus
    /// The reason for a missing permission; nil if it is granted, or if the reason is unknown.
    var accessReason: AccessReason?
    /// Remedy if the device cannot be used.
    var advice: String?
    /// The purpose for which the program asks for permission, if the user was not asked yet.
    var usage: String?

    init(_ device: CaptureDevice, kind: Kind, isBuiltIn: Bool) {
        id = device.uniqueID
        name = device.localizedName
        self.kind = kind
        position = device.position
        self.isBuiltIn = isBuiltIn
        authorization = device.authorizationStatus
        guard authorization != .authorized else { return }
        accessReason = device.accessReason
        guard authorization != .notDetermined else {
            usage = kind == .camera ? CameraPermission.settings.usageDescription : nil
            advice = device.driver.accessRemedy?.pageText
            return
        }
        advice = (device.driver.accessRemedy ?? .joinGroup(kind == .camera ? "video" : "audio")).pageText
    }
}

/// The available devices.
struct DeviceLists: Codable, Sendable, Equatable {
    var cameras: [DeviceDescription] = []
    var microphones: [DeviceDescription] = []

    var cameraIDs: Set<String> { Set(cameras.map(\.id)) }
}
