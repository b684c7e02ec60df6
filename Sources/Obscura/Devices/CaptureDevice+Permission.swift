// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

extension CaptureDevice {
    /// Returns the permission to use the default camera or the default microphone; `authorized` if there is no such
    /// device. If the desktop portal controls access to cameras (``CameraPermission/portalUse``), blocks for at most
    /// one second to query the portal.
    public static func authorizationStatus(for mediaType: MediaType) -> AuthorizationStatus {
        `default`(for: mediaType)?.authorizationStatus ?? .authorized
    }

    /// Returns the reason for a missing permission to use the default camera or the default microphone; nil if the
    /// permission is granted, or if the reason is unknown.
    public static func accessReason(for mediaType: MediaType) -> AccessReason? {
        `default`(for: mediaType)?.accessReason
    }

    /// Returns the remedy for a missing permission to use the default camera or the default microphone; nil if the
    /// permission is granted, or if no remedy is needed or known.
    public static func accessRemedy(for mediaType: MediaType) -> Remedy? {
        `default`(for: mediaType)?.driver.accessRemedy
    }

    /// Asks the user for permission to use the default camera or the default microphone, if the system supports this.
    /// Returns whether the permission is granted; true if there is no such device.
    ///
    /// Suspends until the user answers. If the task is cancelled, the method returns at once. An open dialog remains
    /// open, and the user's answer applies to the next request.
    public static func requestAccess(for mediaType: MediaType) async -> Bool {
        await `default`(for: mediaType)?.driver.requestAccess() ?? true
    }
}
