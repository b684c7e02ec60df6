// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension Diagnosis.Finding.Cause {
    /// The item works.
    public static let ready = Self("ready")
    /// Another process uses the device.
    public static let inUse = Self("inUse")
    /// This process may not use the device.
    public static let notAuthorized = Self("notAuthorized")
    /// The kernel has the device, but its file is missing, as in a container.
    public static let noDeviceFile = Self("noDeviceFile")
    /// The machine has no device of this kind.
    public static let noDevices = Self("noDevices")
    /// The device cannot be queried.
    public static let deviceFailed = Self("deviceFailed")
    /// The node is the raw output of a sensor, which needs libcamera.
    public static let rawSensor = Self("rawSensor")
    /// The node is the infrared sensor of a camera, for the recognition of its user.
    public static let infrared = Self("infrared")
    /// The node delivers descriptions of frames instead of frames.
    public static let metadata = Self("metadata")
    /// The node has only pixel formats that are not supported.
    public static let unsupportedFormats = Self("unsupportedFormats")
    /// The user's settings cannot be read.
    public static let settings = Self("settings")
    /// The system does not report changes of devices.
    public static let changesNotReported = Self("changesNotReported")
    /// A decoder is missing.
    public static let decoderMissing = Self("decoderMissing")
    /// PipeWire is not installed, or is not part of this build.
    public static let pipeWireMissing = Self("pipeWireMissing")
    /// The user's PipeWire daemon does not run or does not respond.
    public static let pipeWireNotRunning = Self("pipeWireNotRunning")
    /// No session manager, such as WirePlumber, makes PipeWire's cameras usable.
    public static let sessionManagerMissing = Self("sessionManagerMissing")
    /// The desktop portal does not give access to cameras; see ``AccessReason``.
    public static let cameraPermission = Self("cameraPermission")
    /// Any other state.
    public static let other = Self("other")
}
