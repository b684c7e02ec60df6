// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension Diagnosis.Finding.Cause {
    /// The item works.
    public static let ready = Self("ready")
    /// Another process uses the device.
    public static let inUse = Self("inUse")
    /// This process has no permission to use the device.
    public static let notAuthorized = Self("notAuthorized")
    /// The kernel has the device, but the device file is missing, as in a container.
    public static let noDeviceFile = Self("noDeviceFile")
    /// The machine has no device of this kind.
    public static let noDevices = Self("noDevices")
    /// The device cannot be queried.
    public static let deviceFailed = Self("deviceFailed")
    /// The node delivers raw sensor data, which requires libcamera.
    public static let rawSensor = Self("rawSensor")
    /// The node is the infrared sensor of a camera, intended for face recognition.
    public static let infrared = Self("infrared")
    /// The node delivers metadata about frames instead of frames.
    public static let metadata = Self("metadata")
    /// The node has only pixel formats that are not supported.
    public static let unsupportedFormats = Self("unsupportedFormats")
    /// The user's settings cannot be read.
    public static let settings = Self("settings")
    /// The system does not report connected and disconnected devices; Obscura searches for cameras once a second.
    public static let changesNotReported = Self("changesNotReported")
    /// A decoder is missing.
    public static let decoderMissing = Self("decoderMissing")
    /// PipeWire is not installed, or is not part of this build.
    public static let pipeWireMissing = Self("pipeWireMissing")
    /// The user's PipeWire daemon does not run or does not respond.
    public static let pipeWireNotRunning = Self("pipeWireNotRunning")
    /// PipeWire has no session manager, such as WirePlumber, so its cameras cannot be used.
    public static let sessionManagerMissing = Self("sessionManagerMissing")
    /// The desktop portal does not give access to cameras; see ``AccessReason``.
    public static let cameraPermission = Self("cameraPermission")
    /// Any other state.
    public static let other = Self("other")
}
