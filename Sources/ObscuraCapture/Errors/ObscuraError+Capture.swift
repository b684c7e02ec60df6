// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension ObscuraError.Domain {
    /// The domain of errors of devices, sessions and outputs.
    public static let capture = Self("capture")
}

extension ObscuraError.Code {
    /// Another process or session uses the device.
    public static let deviceInUse = Self("deviceInUse")
    /// The device was unplugged, or the connection to it was lost.
    public static let deviceDisconnected = Self("deviceDisconnected")
    /// The device failed for a reason that has no code of its own.
    public static let deviceFailed = Self("deviceFailed")
    /// The camera does not have the control, or the control cannot be set.
    public static let unsupportedControl = Self("unsupportedControl")
    /// The control does not accept the value.
    public static let invalidValue = Self("invalidValue")
    /// Another control, such as automatic exposure, currently determines the value of this control.
    public static let controlInactive = Self("controlInactive")
    /// The inputs, outputs or settings of the session are invalid or contradict each other.
    public static let invalidConfiguration = Self("invalidConfiguration")
    /// A reader holds its maximum number of frames, or too many photos are being encoded or retained. Release frames or
    /// photos to continue.
    public static let outOfBuffers = Self("outOfBuffers")
    /// The desktop portal, which asks the user for permission to use cameras, is missing, failed or did not respond.
    public static let portalFailed = Self("portalFailed")
    /// The desktop portal does not connect this process to PipeWire, although the user has granted access.
    public static let connectionRefused = Self("connectionRefused")
    /// The session is not running.
    public static let notRunning = Self("notRunning")
    /// The file with the user's settings is invalid, or cannot be read or written.
    public static let unusableSettings = Self("unusableSettings")
}

extension ObscuraError {
    /// Wraps an error that the caller's own closure threw while it changed the session.
    init(refusing error: any Error) {
        self =
            error as? ObscuraError
            ?? ObscuraError(
                .capture, .invalidConfiguration, subject: "session",
                reason: "the closure of configure threw an error: \(error)")
    }
}
