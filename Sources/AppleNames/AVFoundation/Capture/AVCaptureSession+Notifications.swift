// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension Notification.Name {
    /// A device failed, or a change of the session could not be made. The user info has the error as
    /// `AVCaptureSessionErrorKey`.
    public static let AVCaptureSessionRuntimeError = Notification.Name("AVCaptureSessionRuntimeErrorNotification")
    /// The session has started.
    public static let AVCaptureSessionDidStartRunning = Notification.Name("AVCaptureSessionDidStartRunningNotification")
    /// The session has stopped.
    public static let AVCaptureSessionDidStopRunning = Notification.Name("AVCaptureSessionDidStopRunningNotification")
    /// A device has stopped delivering media. If another program uses the device, the user info has the reason as
    /// `AVCaptureSessionInterruptionReasonKey`.
    public static let AVCaptureSessionWasInterrupted = Notification.Name("AVCaptureSessionWasInterruptedNotification")
    /// A device delivers media again.
    public static let AVCaptureSessionInterruptionEnded = Notification.Name(
        "AVCaptureSessionInterruptionEndedNotification")
}

/// The key of the error of `AVCaptureSessionRuntimeError`: an ``AVError``.
public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"
/// The key of the reason of `AVCaptureSessionWasInterrupted`: the raw value of
/// ``AVCaptureSession/InterruptionReason``, as an `NSNumber`.
public let AVCaptureSessionInterruptionReasonKey = "AVCaptureSessionInterruptionReasonKey"

extension AVCaptureSession {
    /// The reason why a device delivers no media.
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
    /// A device failed, or a change of the session could not be made.
    public static let runtimeErrorNotification = Notification.Name.AVCaptureSessionRuntimeError
    /// The session has started.
    public static let didStartRunningNotification = Notification.Name.AVCaptureSessionDidStartRunning
    /// The session has stopped.
    public static let didStopRunningNotification = Notification.Name.AVCaptureSessionDidStopRunning
    /// A device has stopped delivering media.
    public static let wasInterruptedNotification = Notification.Name.AVCaptureSessionWasInterrupted
    /// A device delivers media again.
    public static let interruptionEndedNotification = Notification.Name.AVCaptureSessionInterruptionEnded
}
