// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// The queries of a node for properties that sysfs does not report. Discovery opens devices only here.
protocol VideoNodeProbe: Sendable {
    /// Opens the node at `path`, queries it and closes it. Starts no stream.
    ///
    /// - Throws: ``ObscuraError``: `notAuthorized`, `deviceInUse` and others.
    func describe(path: String) throws(ObscuraError) -> NodeDescription
}

/// The result of a node's query.
struct NodeDescription: Sendable, Hashable {
    /// The use of a node.
    enum Kind: Sendable, Hashable {
        /// A source of frames.
        case camera
        /// The raw output of a sensor or of an image signal processor. Delivers frames only after the links of its
        /// pipeline have been configured, as libcamera does.
        case rawSensor
        /// A source of frames that offers only unsupported pixel layouts, with the names of these layouts.
        case unknownLayouts([String])
        /// A source of gray frames beside a camera with colors in the same device.
        case infrared
        /// A source of descriptions of frames.
        case metadata
        /// A node that is not a source of frames, such as an output or a converter.
        case other
    }

    /// The use of the node.
    var kind: Kind
    /// The kernel's driver, such as `uvcvideo`.
    var driver: String
    /// The driver's name for the model.
    var card: String
    /// The place on the bus in the driver's form.
    var bus: String
    /// The direction that the camera faces (`V4L2_CID_CAMERA_ORIENTATION`); nil if the driver does not report it, or
    /// reports that the camera is outside the machine.
    var orientation: CaptureDevice.Position?
    /// The rotation of the mounted sensor, in degrees counterclockwise (`V4L2_CID_CAMERA_SENSOR_ROTATION`); nil if the
    /// driver does not report it.
    var rotation: Int?

    /// Whether all its pixel layouts are gray.
    var isGray = false

    /// Whether another program writes its frames.
    var isFed: Bool { driver == Self.feedingDriver }

    /// The name of the driver of v4l2loopback.
    static let feedingDriver = "v4l2 loopback"
}
