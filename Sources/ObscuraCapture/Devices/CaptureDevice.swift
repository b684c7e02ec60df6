// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A source of video or sound: a camera, a microphone, a file, a network address, the test pattern or the test tone.
///
/// Two objects are equal if they have the same ``uniqueID``.
public final class CaptureDevice: Sendable {
    /// The direction that a camera faces.
    public enum Position: String, Sendable, Hashable, CaseIterable, Codable {
        /// Toward the user.
        case front
        /// Away from the user.
        case back
        /// Unknown, or neither front nor back.
        case unspecified
    }

    /// The driver, through which a session runs the device.
    public let driver: any CaptureDriver

    /// Creates a device with a driver.
    public init(driver: any CaptureDriver) {
        self.driver = driver
    }

    /// The unique id, by which the device can be looked up. The id is the same after a restart of the machine.
    public var uniqueID: String { driver.uniqueID }
    /// The display name.
    public var localizedName: String { driver.localizedName }
    /// The model, such as `046d:0825` on USB; nil if unknown.
    public var modelID: String? { driver.modelID }
    /// The manufacturer's display name; nil if unknown.
    public var manufacturer: String? { driver.manufacturer }
    /// The kind of device.
    public var deviceType: DeviceType { driver.deviceType }
    /// The current path, such as `/dev/video0`; nil if the device has no path.
    public var path: String? { driver.path }
    /// The direction that the camera faces.
    public var position: Position { driver.position }
    /// The video modes of the device: its combinations of pixel format, size and frame rate. Empty if the modes are
    /// known only while the device runs, as with a network address.
    public var formats: [VideoFormat] { driver.formats }
    /// The media types that the device delivers. For example, a movie with sound delivers video and audio.
    public var mediaTypes: Set<MediaType> { driver.mediaTypes }
    /// The audio formats of the device, the default format first. Empty if the device delivers no sound, or if the
    /// formats are known only while the device runs.
    public var audioFormats: [AudioFormat] { driver.audioFormats }
    /// The permission of this process to use the device.
    public var authorizationStatus: AuthorizationStatus { driver.authorizationStatus }
    /// The reason for a missing permission; nil if the permission is granted, or if the reason is unknown.
    public var accessReason: AccessReason? { driver.accessReason }
}

extension CaptureDevice: Hashable, CustomStringConvertible {
    /// Whether both objects have the same unique id.
    public static func == (lhs: CaptureDevice, rhs: CaptureDevice) -> Bool {
        lhs.uniqueID == rhs.uniqueID
    }

    /// Hashes the unique id.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(uniqueID)
    }

    /// The display name.
    public var description: String { localizedName }
}

/// A kind of media that a device delivers.
public enum MediaType: String, Sendable, Hashable, CaseIterable, Codable {
    /// Video frames.
    case video
    /// Sound.
    case audio
}
