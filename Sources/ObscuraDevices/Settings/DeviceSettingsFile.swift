// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Logging
public import ObscuraCapture
public import ObscuraMedia

/// The file in which the user says what no driver knows: `~/.config/obscura/devices.json`.
///
/// ```json
/// {
///   "devices": {
///     "usb-046d_HD_Pro_Webcam_C920_1234ABCD-video-index0": { "name": "Door", "position": "front" }
///   }
/// }
/// ```
public struct DeviceSettingsFile: Sendable, Hashable {
    /// Where it lies. It need not be there.
    public let path: String

    /// The file at `path`.
    public init(path: String) {
        self.path = path
    }

    /// The file of this user, in `$XDG_CONFIG_HOME` or `~/.config`; nil where neither that nor `$HOME` is set.
    public static var standard: DeviceSettingsFile? {
        standard(environment: ProcessInfo.processInfo.environment)
    }

    static func standard(environment: [String: String]) -> DeviceSettingsFile? {
        // By the XDG specification a relative path is to be ignored.
        let absolute = { (key: String) in environment[key].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        guard let folder = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map({ $0 + "/.config" }) else { return nil }
        return DeviceSettingsFile(path: folder + "/obscura/devices.json")
    }

    /// What the file says; nothing, if it is not there.
    ///
    /// - Throws: ``ObscuraError/Code/unusableSettings``, with the place where it is not JSON.
    public func read() throws(ObscuraError) -> DeviceSettings {
        guard let bytes = try OwnFile(path: path).read() else { return DeviceSettings() }
        return try DeviceSettings(text: bytes, path: path)
    }

    /// What the file says. Without a file that can be read, and for what is wrong in it, a warning goes to
    /// the log at most once a minute, and nothing is set.
    func readForDiscovery() -> DeviceSettings {
        do {
            return try read()
        } catch {
            if Self.warnings.isDue(at: .now) { Self.logger.warning("\(error)") }
            return DeviceSettings()
        }
    }

    /// Says something of one camera, and keeps what the file says of others. The file is replaced at once or not
    /// at all; folders that are missing are made, for this user alone.
    ///
    /// - Parameters:
    ///   - position: where it looks; `unspecified` forgets what was said, nil leaves it.
    ///   - name: what to call it; an empty one forgets what was said, nil leaves it.
    /// - Throws: ``ObscuraError/Code/unusableSettings``: the file is not JSON, or cannot be written.
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
