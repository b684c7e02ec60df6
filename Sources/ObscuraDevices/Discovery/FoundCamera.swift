// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
package import ObscuraMedia

/// A camera of this machine as discovery found it; a driver is made of it.
package struct FoundCamera: FoundDevice {
    /// What stays the same across restarts and ports; see ``DeviceIdentity``.
    package var uniqueID: String
    /// Its node at this moment, such as `/dev/video0`. Another one may be its node after it was unplugged.
    package var path: String
    /// Where it was found: its place on the bus. See ``DeviceIdentity``.
    package var place: String
    /// What it brings along to whatever port; nil where it has nothing of its own. See ``DeviceIdentity``.
    package var lastingName: String?
    /// The name to show to people; no other camera of the listing has it.
    package var name: String
    /// The same for all cameras of a model: `046d:0825` on USB, else the driver's name for it.
    package var modelID: String
    /// Who made it, in the words of its descriptors.
    package var manufacturer: String?
    /// What kind of camera it is.
    package var deviceType: CaptureDevice.DeviceType
    /// Where it looks: the driver's word, else the user's.
    package var position: CaptureDevice.Position
    /// By how many degrees its pictures must be turned clockwise to stand upright: 0, 90, 180 or 270.
    package var rotation: Int
    /// Whether this process may use its node.
    package var authorization: AuthorizationStatus
    /// How to get the right, where it is missing.
    package var accessRemedy: Remedy?

    package init(
        uniqueID: String, path: String, place: String, lastingName: String?, name: String, modelID: String,
        manufacturer: String? = nil,
        deviceType: CaptureDevice.DeviceType = .camera, position: CaptureDevice.Position = .unspecified,
        rotation: Int = 0, authorization: AuthorizationStatus = .authorized, accessRemedy: Remedy? = nil
    ) {
        self.uniqueID = uniqueID
        self.path = path
        self.place = place
        self.lastingName = lastingName
        self.name = name
        self.modelID = modelID
        self.manufacturer = manufacturer
        self.deviceType = deviceType
        self.position = position
        self.rotation = rotation
        self.authorization = authorization
        self.accessRemedy = accessRemedy
    }

    /// Whether both are one device that has stayed where it was. The unique ids do not tell: that of a camera
    /// changes when its twin comes or goes.
    package func isSameDevice(as other: FoundCamera) -> Bool {
        place == other.place && lastingName == other.lastingName
    }
}
