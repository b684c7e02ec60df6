// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A device as the source of a session's frames.
public final class CaptureDeviceInput: Sendable {
    /// The camera.
    public let device: CaptureDevice
    /// The colour space to take the frames for, whatever the device says; nil believes the device.
    public let colorSpace: ColorSpace?
    /// Whether a device that another process has is waited for, instead of being refused.
    public let startsWhenAvailable: Bool
    /// What the session does when the device is unplugged while it runs.
    public let whenDisconnected: DisconnectionPolicy

    /// - Parameters:
    ///   - colorSpace: overrides what the device says of its colours.
    ///   - startsWhenAvailable: true starts the session although another process has the device: it is
    ///     `interrupted(.deviceInUse)` until the device is free.
    ///   - whenDisconnected: what the session does when the device is unplugged while it runs.
    /// - Throws: ``ObscuraError/Code/notAuthorized`` if the device was denied to this process.
    public init(
        device: CaptureDevice, colorSpace: ColorSpace? = nil, startsWhenAvailable: Bool = false,
        whenDisconnected: DisconnectionPolicy = .wait
    ) throws(ObscuraError) {
        switch device.authorizationStatus {
        case .denied, .restricted: throw .notAuthorized(device)
        case .authorized, .notDetermined: break
        }
        self.device = device
        self.colorSpace = colorSpace
        self.startsWhenAvailable = startsWhenAvailable
        self.whenDisconnected = whenDisconnected
    }
}

extension ObscuraError {
    static func notAuthorized(_ device: CaptureDevice) -> ObscuraError {
        ObscuraError(
            .capture, .notAuthorized, subject: device.localizedName, reason: "this process may not use it",
            remedy: device.driver.accessRemedy
                ?? .advice("Ask the administrator of this machine for the right to use it."))
    }
}

extension CaptureDeviceInput: Hashable {
    /// Whether both are the same input.
    public static func == (lhs: CaptureDeviceInput, rhs: CaptureDeviceInput) -> Bool { lhs === rhs }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
