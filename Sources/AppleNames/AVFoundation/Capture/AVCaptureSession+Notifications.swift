// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension Notification.Name {
    /// A device failed, or a change of the session did. The user info has the error as `AVCaptureSessionErrorKey`.
    public static let AVCaptureSessionRuntimeError = Notification.Name("AVCaptureSessionRuntimeErrorNotification")
    /// The session has started.
    public static let AVCaptureSessionDidStartRunning = Notification.Name("AVCaptureSessionDidStartRunningNotification")
    /// The session has stopped.
    public static let AVCaptureSessionDidStopRunning = Notification.Name("AVCaptureSessionDidStopRunningNotification")
    /// A device delivers nothing at present. If another program uses it, the user info says so as
    /// `AVCaptureSessionInterruptionReasonKey`.
    public static let AVCaptureSessionWasInterrupted = Notification.Name("AVCaptureSessionWasInterruptedNotification")
    /// A device delivers again.
    public static let AVCaptureSessionInterruptionEnded = Notification.Name(
        "AVCaptureSessionInterruptionEndedNotification")
}

/// The key of the error of `AVCaptureSessionRuntimeError`: an ``AVError``.
public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"
/// The key of the reason of `AVCaptureSessionWasInterrupted`: the raw value of
/// ``AVCaptureSession/InterruptionReason``, as an `NSNumber`.
public let AVCaptureSessionInterruptionReasonKey = "AVCaptureSessionInterruptionReasonKey"

extension AVCaptureSession {
    /// Why a device delivers nothing.
    public enum InterruptionReason: Int, Sendable {
        /// Another program uses the microphone.
        case audioDeviceInUseByAnotherClient = 2
        /// Another program uses the camera.
        case videoDeviceInUseByAnotherClient = 3

        /// Nil for a reason that Apple's platforms do not have, such as a device that was unplugged.
        init?(_ reason: EngineReason, of device: CaptureDevice) {
            guard reason == .deviceInUse else { return nil }
            self =
                device.mediaTypes.contains(.video)
                ? .videoDeviceInUseByAnotherClient : .audioDeviceInUseByAnotherClient
        }
    }

    /// The reason of the engine, which has the same name.
    typealias EngineReason = Obscura.InterruptionReason
}

extension AVCaptureSession {
    /// A device failed, or a change of the session did.
    public static let runtimeErrorNotification = Notification.Name.AVCaptureSessionRuntimeError
    /// The session has started.
    public static let didStartRunningNotification = Notification.Name.AVCaptureSessionDidStartRunning
    /// The session has stopped.
    public static let didStopRunningNotification = Notification.Name.AVCaptureSessionDidStopRunning
    /// A device delivers nothing at present.
    public static let wasInterruptedNotification = Notification.Name.AVCaptureSessionWasInterrupted
    /// A device delivers again.
    public static let interruptionEndedNotification = Notification.Name.AVCaptureSessionInterruptionEnded
}
