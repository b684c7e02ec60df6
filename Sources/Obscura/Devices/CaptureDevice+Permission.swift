// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraDevices
public import ObscuraMedia

extension CaptureDevice {
    /// Returns the permission to use the default camera or the default microphone; `authorized` if there is no such
    /// device. If the desktop portal decides about cameras, its decision (``CameraPermission/portalUse``).
    ///
    /// Blocks on devices, and for at most one second on the portal.
    public static func authorizationStatus(for mediaType: MediaType) -> AuthorizationStatus {
        switch Decider(of: mediaType) {
        case .device(let device): device.authorizationStatus
        case .portal: CameraPortal.shared.access.status
        case .nobody: .authorized
        }
    }

    /// Returns the reason for a missing permission, as ``authorizationStatus(for:)`` reports it; nil if it is granted.
    public static func accessReason(for mediaType: MediaType) -> AccessReason? {
        switch Decider(of: mediaType) {
        case .device(let device): device.accessReason
        case .portal: CameraPortal.shared.access.reason
        case .nobody: nil
        }
    }

    /// Returns the remedy for a missing permission, as ``authorizationStatus(for:)`` reports it; nil if it is granted, or
    /// if none is needed.
    public static func accessRemedy(for mediaType: MediaType) -> Remedy? {
        switch Decider(of: mediaType) {
        case .device(let device): device.authorizationStatus == .authorized ? nil : device.driver.accessRemedy
        case .portal: CameraPortal.shared.access.remedy
        case .nobody: nil
        }
    }

    /// Asks the user for permission to use the default camera or the default microphone, if the system supports this.
    /// Returns whether the permission is granted; true if there is no such device.
    ///
    /// Suspends until the user answers. If the task is cancelled, it returns at once, and a dialog stays open: the answer
    /// applies to the next request.
    public static func requestAccess(for mediaType: MediaType) async -> Bool {
        switch Decider(of: mediaType) {
        case .device(let device): await device.driver.requestAccess()
        case .portal: await CameraPortal.shared.requestAccess().status == .authorized
        case .nobody: true
        }
    }

    /// The part of the system that decides about the default device.
    private enum Decider {
        case device(CaptureDevice)
        /// The desktop portal. Until it has granted access, cameras of PipeWire are not visible.
        case portal
        case nobody

        init(of mediaType: MediaType) {
            let device = CaptureDevice.default(for: mediaType)
            if let device, device.authorizationStatus == .authorized {
                self = .device(device)
            } else if mediaType == .video, CameraPortal.isUsed {
                self = .portal
            } else {
                self = device.map { .device($0) } ?? .nobody
            }
        }
    }
}

extension ObscuraError {
    /// Returns the error of cameras that the desktop portal does not allow.
    static func notAuthorized(_ access: CameraAccess) -> ObscuraError {
        ObscuraError(
            .capture, .notAuthorized, subject: "camera",
            reason: access.reason?.sentence ?? "this process may not use it", remedy: access.remedy)
    }
}
