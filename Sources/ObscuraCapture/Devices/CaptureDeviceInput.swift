// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A device as a source of frames and sound for a session.
public final class CaptureDeviceInput: Sendable {
    /// The camera, microphone or movie.
    public let device: CaptureDevice
    /// The color space of the frames; nil uses the color space that the device reports.
    public let colorSpace: ColorSpace?
    /// Whether the session waits for a device that is not available when the session starts: a camera or microphone
    /// that another process uses, or a URL that cannot be opened.
    ///
    /// With a camera or microphone in use, the session starts, and frames arrive as soon as the device is free. With a
    /// URL, ``CaptureSession/start()`` and ``CaptureSession/configure(_:)`` wait until the URL can be opened;
    /// ``CaptureSession/stop()`` ends the wait.
    public let startsWhenAvailable: Bool
    /// Whether a camera or microphone is closed while the session of the user is locked. The events are
    /// ``SessionEvent/interrupted(_:_:)`` with ``InterruptionReason/sessionLocked`` and
    /// ``SessionEvent/interruptionEnded(_:)``. Has no effect if the desktop does not report the lock to logind.
    public let pausesWhileLocked: Bool
    /// The reaction of the session if the device is disconnected while the session runs.
    public let whenDisconnected: DisconnectionPolicy

    /// Creates an input.
    ///
    /// - Parameters:
    ///   - device: the camera, microphone or movie.
    ///   - colorSpace: the color space of the frames; nil uses the color space that the device reports.
    ///   - startsWhenAvailable: whether the session waits for a device that is not available when the session starts.
    ///   - whenDisconnected: the reaction of the session if the device is disconnected while the session runs.
    ///   - pausesWhileLocked: whether a camera or microphone is closed while the session of the user is locked.
    /// - Throws: ``ObscuraError/Code/notAuthorized`` if this process has no permission to use the device.
    public init(
        device: CaptureDevice, colorSpace: ColorSpace? = nil, startsWhenAvailable: Bool = false,
        whenDisconnected: DisconnectionPolicy = .wait, pausesWhileLocked: Bool = false
    ) throws(ObscuraError) {
        switch device.authorizationStatus {
        case .denied, .restricted: throw .notAuthorized(device)
        case .authorized, .notDetermined: break
        }
        self.device = device
        self.colorSpace = colorSpace
        self.startsWhenAvailable = startsWhenAvailable
        self.whenDisconnected = whenDisconnected
        self.pausesWhileLocked = pausesWhileLocked
    }
}

extension ObscuraError {
    static func notAuthorized(_ device: CaptureDevice) -> ObscuraError {
        ObscuraError(
            .capture, .notAuthorized, subject: device.localizedName,
            reason: device.accessReason?.sentence ?? "this process has no permission to use it",
            remedy: device.driver.accessRemedy
                ?? .advice("Ask the administrator of this machine for permission to use it."))
    }
}

extension CaptureDeviceInput: Hashable {
    /// Whether both inputs are the same object. Different inputs of the same device are not equal.
    public static func == (lhs: CaptureDeviceInput, rhs: CaptureDeviceInput) -> Bool { lhs === rhs }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
