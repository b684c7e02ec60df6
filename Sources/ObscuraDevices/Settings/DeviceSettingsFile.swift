// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Logging
public import ObscuraCapture
public import ObscuraMedia

/// The file with the user's settings of devices, such as properties that drivers do not report:
/// `~/.config/obscura/devices.json`.
///
/// ```json
/// {
///   "devices": {
///     "usb-046d_HD_Pro_Webcam_C920_1234ABCD-video-index0": { "name": "Door", "position": "front" }
///   }
/// }
/// ```
public struct DeviceSettingsFile: Sendable, Hashable {
    /// The path of the file, which need not exist.
    public let path: String

    /// Creates a reference to the file at `path`.
    public init(path: String) {
        self.path = path
    }

    /// The file of this user, in `$XDG_CONFIG_HOME` or `~/.config`; nil if neither `$XDG_CONFIG_HOME` nor `$HOME` is an
    /// absolute path.
    public static var standard: DeviceSettingsFile? {
        standard(environment: ProcessInfo.processInfo.environment)
    }

    static func standard(environment: [String: String]) -> DeviceSettingsFile? {
        // The XDG specification requires relative paths to be ignored.
        let absolute = { (key: String) in environment[key].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        guard let folder = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map({ $0 + "/.config" }) else { return nil }
        return DeviceSettingsFile(path: folder + "/obscura/devices.json")
    }

    /// Reads the settings. If the file does not exist, the settings are empty.
    ///
    /// - Throws: ``ObscuraError/Code/unusableSettings`` if the file cannot be read or is invalid. For an invalid file,
    ///   the error names the invalid part.
    public func read() throws(ObscuraError) -> DeviceSettings {
        guard let bytes = try OwnFile(path: path).read() else { return DeviceSettings() }
        return try DeviceSettings(text: bytes, path: path)
    }

    /// Reads the settings; empty for an unreadable or invalid file, with a warning in the log at most once a minute.
    func readForDiscovery() -> DeviceSettings {
        do {
            return try read()
        } catch {
            if Self.warnings.isDue(at: .now) { Self.logger.warning("\(error)") }
            return DeviceSettings()
        }
    }

    /// Changes the settings of one device. Replaces the file atomically; creates missing folders, accessible to this
    /// user only.
    ///
    /// - Parameters:
    ///   - position: the direction that the camera faces; `unspecified` clears the setting, nil leaves it unchanged.
    ///   - name: the display name; an empty string clears the setting, nil leaves it unchanged.
    ///   - uniqueID: the ``CaptureDevice/uniqueID`` of the device.
    /// - Throws: ``ObscuraError/Code/unusableSettings`` if the file is invalid, or cannot be read or written.
    public func set(
        position: CaptureDevice.Position? = nil, name: String? = nil, for uniqueID: String
    ) throws(ObscuraError) {
        let name = name.map(DeviceName.shown)
        try OwnFile(path: path).replace { (bytes) throws(ObscuraError) in
            try DeviceSettings.replacing(bytes, camera: uniqueID, position: position, name: name, path: path)
        }
    }

    private static let logger = Logger(label: "obscura.devices")
    private static let warnings = WarningLimit(interval: .seconds(60))
}
