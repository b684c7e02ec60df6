// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A camera or a microphone: hardware, a file or network address that is read as a device, or a built-in
/// device.
///
/// Two objects are equal when their ``uniqueID`` is the same.
public final class CaptureDevice: Sendable {
    /// The direction that a camera faces.
    public enum Position: String, Sendable, Hashable, CaseIterable, Codable {
        /// Toward the user.
        case front
        /// Away from the user.
        case back
        case unspecified
    }

    /// The driver, which describes the device and runs it for the session.
    public let driver: any CaptureDriver

    /// Creates a device that `driver` runs.
    public init(driver: any CaptureDriver) {
        self.driver = driver
    }

    /// A name that stays the same across restarts and selects the device again.
    public var uniqueID: String { driver.uniqueID }
    /// The display name.
    public var localizedName: String { driver.localizedName }
    /// An identifier that all devices of one model share, such as `046d:0825` on USB; nil if there is none.
    public var modelID: String? { driver.modelID }
    /// The display name of the manufacturer; nil if unknown.
    public var manufacturer: String? { driver.manufacturer }
    /// The kind of camera.
    public var deviceType: DeviceType { driver.deviceType }
    /// The current path in the system, such as `/dev/video0`; nil if there is none.
    public var path: String? { driver.path }
    /// The direction that the camera faces.
    public var position: Position { driver.position }
    /// The modes of the device; empty if they are known only while it runs (a network address).
    public var formats: [VideoFormat] { driver.formats }
    /// The types of media that the device delivers; both for a movie with sound.
    public var mediaTypes: Set<MediaType> { driver.mediaTypes }
    /// The audio formats, the device's preferred one first; empty without sound, or if they are known only
    /// while it runs.
    public var audioFormats: [AudioFormat] { driver.audioFormats }
    /// Whether this process may use the device.
    public var authorizationStatus: AuthorizationStatus { driver.authorizationStatus }
}

extension CaptureDevice: Hashable, CustomStringConvertible {
    /// Whether both are the same device.
    public static func == (lhs: CaptureDevice, rhs: CaptureDevice) -> Bool {
        lhs.uniqueID == rhs.uniqueID
    }

    /// Hashes the unique ID.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(uniqueID)
    }

    /// The display name.
    public var description: String { localizedName }
}

/// The types of media that a device delivers.
public enum MediaType: String, Sendable, Hashable, CaseIterable, Codable {
    case video
    case audio
}
