// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A device as the source of a session's frames.
public final class CaptureDeviceInput: Sendable {
    /// The camera.
    public let device: CaptureDevice
    /// The colour space to take the frames for, whatever the device says; nil believes the device.
    public let colorSpace: ColorSpace?

    /// - Parameter colorSpace: overrides what the device says of its colours.
    /// - Throws: ``CaptureError/Code/notAuthorized`` if the device was denied to this process.
    public init(device: CaptureDevice, colorSpace: ColorSpace? = nil) throws(CaptureError) {
        switch device.authorizationStatus {
        case .denied, .restricted: throw .notAuthorized(device)
        case .authorized, .notDetermined: break
        }
        self.device = device
        self.colorSpace = colorSpace
    }
}

extension CaptureError {
    static func notAuthorized(_ device: CaptureDevice) -> CaptureError {
        CaptureError(
            .notAuthorized, subject: device.localizedName, reason: "this process may not use it",
            advice: device.driver.accessAdvice ?? "Ask the administrator of this machine for the right to use it.")
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
