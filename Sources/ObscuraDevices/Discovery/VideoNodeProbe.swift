// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
package import ObscuraMedia

/// Asks a node what sysfs does not tell. The one way by which discovery opens a device.
package protocol VideoNodeProbe: Sendable {
    /// What the node at `path` says. Opens it, and closes it again; starts nothing.
    ///
    /// - Throws: ``ObscuraError``: `notAuthorized`, `deviceInUse`, or what else keeps it from answering.
    func describe(path: String) throws(ObscuraError) -> NodeDescription
}

/// What a node says of itself.
package struct NodeDescription: Sendable, Hashable {
    /// What the node is good for.
    package enum Kind: Sendable, Hashable {
        /// Pictures come from it.
        case camera
        /// A part of a pipeline that somebody must set up first, link by link, as libcamera does: the raw output
        /// of a sensor, or of a chip's image processor.
        case rawSensor
        /// Pictures come from it, but in none of its layouts, which stand here, that Obscura knows.
        case unknownLayouts([String])
        /// No pictures come from it: metadata, an output, a converter.
        case other
    }

    /// What the node is good for.
    package var kind: Kind
    /// The kernel's driver, such as `uvcvideo`.
    package var driver: String
    /// The driver's name for the model.
    package var card: String
    /// Where the driver says it hangs.
    package var bus: String
    /// Where the camera looks (`V4L2_CID_CAMERA_ORIENTATION`); nil where the driver does not say, or says
    /// that it is outside of the machine.
    package var orientation: CaptureDevice.Position?
    /// How the sensor is mounted, in degrees counterclockwise (`V4L2_CID_CAMERA_SENSOR_ROTATION`); nil where it is not said.
    package var rotation: Int?

    /// Whether its pictures are those that another program writes into it: that of v4l2loopback, whose driver goes
    /// by this name.
    var isFed: Bool { driver == "v4l2 loopback" }

    package init(
        kind: Kind, driver: String, card: String, bus: String, orientation: CaptureDevice.Position? = nil,
        rotation: Int? = nil
    ) {
        self.kind = kind
        self.driver = driver
        self.card = card
        self.bus = bus
        self.orientation = orientation
        self.rotation = rotation
    }
}
