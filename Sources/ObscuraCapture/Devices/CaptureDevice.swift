// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A camera or a microphone: hardware, a file or address used as a source, or a built-in one.
///
/// Two objects are equal when their ``uniqueID`` is the same.
public final class CaptureDevice: Sendable {
    /// The direction that a camera faces.
    public enum Position: String, Sendable, Hashable, CaseIterable, Codable {
        /// Toward the user.
        case front
        /// Away from the user.
        case back
        /// Unknown, or neither.
        case unspecified
    }

    /// The driver; the session runs it.
    public let driver: any CaptureDriver

    /// Creates a device with a driver.
    public init(driver: any CaptureDriver) {
        self.driver = driver
    }

    /// The unique id, the same after a restart; the device can be looked up by it.
    public var uniqueID: String { driver.uniqueID }
    /// The display name.
    public var localizedName: String { driver.localizedName }
    /// The model, such as `046d:0825` on USB; nil if there is none.
    public var modelID: String? { driver.modelID }
    /// The manufacturer's display name; nil if unknown.
    public var manufacturer: String? { driver.manufacturer }
    /// The kind of device.
    public var deviceType: DeviceType { driver.deviceType }
    /// The current path, such as `/dev/video0`; nil if there is none.
    public var path: String? { driver.path }
    /// The direction that the camera faces.
    public var position: Position { driver.position }
    /// The modes of the device; empty if they are known only while it runs (a network address).
    public var formats: [VideoFormat] { driver.formats }
    /// The media that it delivers; both for a movie with sound.
    public var mediaTypes: Set<MediaType> { driver.mediaTypes }
    /// The audio formats, the device's own choice first; empty without sound, or if they are known only while it runs.
    public var audioFormats: [AudioFormat] { driver.audioFormats }
    /// Whether this process is permitted to use the device.
    public var authorizationStatus: AuthorizationStatus { driver.authorizationStatus }
}

extension CaptureDevice: Hashable, CustomStringConvertible {
    /// Whether both are the same device.
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
