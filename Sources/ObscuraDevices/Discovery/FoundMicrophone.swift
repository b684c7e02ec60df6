// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
package import ObscuraMedia

/// A microphone of this machine as discovery found it; a driver is made of it.
package struct FoundMicrophone: FoundDevice {
    /// What stays the same across restarts and ports; see ``DeviceIdentity``.
    package var uniqueID: String
    /// Its node at this moment, such as `/dev/snd/pcmC0D0c`. For the system's default, which has none, its name.
    package var path: String
    /// Where it was found: its place on the bus. See ``DeviceIdentity``.
    package var place: String
    /// What it brings along to whatever port; nil where it has nothing of its own.
    package var lastingName: String?
    /// The name to show to people; no other microphone of the listing has it.
    package var name: String
    /// The same for all microphones of a model: `046d:0825` on USB, else the card's name.
    package var modelID: String
    /// What kind of device it is.
    package var deviceType: CaptureDevice.DeviceType
    /// Whether this process may use its node.
    package var authorization: AuthorizationStatus
    /// How to get the right, where it is missing.
    package var accessRemedy: Remedy?

    package init(
        uniqueID: String, path: String, place: String, lastingName: String?, name: String, modelID: String,
        deviceType: CaptureDevice.DeviceType = .camera, authorization: AuthorizationStatus = .authorized,
        accessRemedy: Remedy? = nil
    ) {
        self.uniqueID = uniqueID
        self.path = path
        self.place = place
        self.lastingName = lastingName
        self.name = name
        self.modelID = modelID
        self.deviceType = deviceType
        self.authorization = authorization
        self.accessRemedy = accessRemedy
    }

    /// What libasound calls by the name `default`: where a sound server is set up (PipeWire, PulseAudio), that
    /// server, and with it the microphone that the user has chosen.
    static let systemDefault = FoundMicrophone(
        uniqueID: "default", path: "default", place: "default", lastingName: nil, name: "System default",
        modelID: "default", deviceType: .virtual)

    var isSystemDefault: Bool { path == Self.systemDefault.path }

    package func isSameDevice(as other: FoundMicrophone) -> Bool {
        place == other.place && lastingName == other.lastingName
    }
}
