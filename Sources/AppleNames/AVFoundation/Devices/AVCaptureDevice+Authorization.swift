// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The permission of this process to use cameras or microphones.
public enum AVAuthorizationStatus: Int, Sendable {
    /// The user has not been asked.
    case notDetermined = 0
    /// The user cannot grant the permission.
    case restricted = 1
    /// The user has denied the permission, or the permissions of the device node do not allow access.
    case denied = 2
    /// The permission is granted.
    case authorized = 3
}

extension AVCaptureDevice {
    /// Returns the permission to use the default device of a media type.
    public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
        switch `default`(for: mediaType)?.device.authorizationStatus ?? .authorized {
        case .notDetermined: .notDetermined
        case .restricted: .restricted
        case .denied: .denied
        case .authorized: .authorized
        }
    }

    /// Asks the user for permission to use the default device of a media type, if the system can ask.
    ///
    /// - Parameter handler: called on an arbitrary queue, with whether the permission is granted.
    @preconcurrency
    public static func requestAccess(
        for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (_ granted: Bool) -> Void
    ) {
        Task.detached {
            let isGranted = await requestAccess(for: mediaType)
            // A handler may block, as those of queues do.
            DispatchQueue.global().async { handler(isGranted) }
        }
    }

    /// Asks the user for permission to use the default device of a media type, if the system can ask.
    ///
    /// - Returns: whether the permission is granted.
    public static func requestAccess(for mediaType: AVMediaType) async -> Bool {
        await `default`(for: mediaType)?.device.driver.requestAccess() ?? true
    }
}
