// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A camera or a microphone: a real one, a file or an address that is read as one, or a built-in one.
///
/// Two objects are equal when their ``uniqueID`` is the same.
public final class CaptureDevice: Sendable {
    /// Where a camera looks.
    public enum Position: String, Sendable, Hashable, CaseIterable, Codable {
        /// At the user.
        case front
        /// Away from the user.
        case back
        case unspecified
    }

    /// What the device is made of; the session runs it.
    public let driver: any CaptureDriver

    /// A device that `driver` runs.
    public init(driver: any CaptureDriver) {
        self.driver = driver
    }

    /// A name that stays the same across restarts, and by which the device can be named again.
    public var uniqueID: String { driver.uniqueID }
    /// The name to show to people.
    public var localizedName: String { driver.localizedName }
    /// The same for all devices of one model, such as `046d:0825` on USB; nil where there is no such thing.
    public var modelID: String? { driver.modelID }
    /// Who made it, for people; nil where that is not known.
    public var manufacturer: String? { driver.manufacturer }
    /// What kind of camera it is.
    public var deviceType: DeviceType { driver.deviceType }
    /// Where the system has it at this moment, such as `/dev/video0`; nil where there is no such place.
    public var path: String? { driver.path }
    /// Where it looks.
    public var position: Position { driver.position }
    /// The modes of the device; empty when it tells only once it runs (a network address).
    public var formats: [VideoFormat] { driver.formats }
    /// What it gives; both for a film with sound.
    public var mediaTypes: Set<MediaType> { driver.mediaTypes }
    /// In which forms it gives sound, its own choice first; empty when it gives none, or tells only once it runs.
    public var audioFormats: [AudioFormat] { driver.audioFormats }
    /// Whether this process may use it.
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

    /// The name to show to people.
    public var description: String { localizedName }
}

/// What a device gives.
public enum MediaType: String, Sendable, Hashable, CaseIterable, Codable {
    case video
    case audio
}
