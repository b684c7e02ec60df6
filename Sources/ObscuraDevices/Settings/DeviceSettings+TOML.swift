// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import TOMLKit

extension DeviceSettings {
    /// What the text of the file at `path` says.
    ///
    /// - Throws: ``CaptureError/Code/unusableSettings``, with line and column where the text is no TOML.
    init(text: [UInt8], path: String) throws(CaptureError) {
        let root = try SettingsText.parse(text, path)
        cameras = [:]
        guard let devices = root["devices"] else { return }
        guard let table = devices.table else {
            throw .unusableSettings(path, "devices is not a table; write [devices.\"ID\"]")
        }
        for id in table.keys {
            guard let camera = table[id] else { continue }
            cameras[id] = try Self.camera(camera, id, path)
        }
    }

    private static func camera(
        _ value: any TOMLValueConvertible, _ id: String, _ path: String
    ) throws(CaptureError) -> Camera {
        guard let table = value.table else {
            throw .unusableSettings(path, "devices.\"\(DeviceName.shown(id))\" is not a table")
        }
        var camera = Camera()
        if let value = table["position"] {
            guard let position = value.string.flatMap(CaptureDevice.Position.init) else {
                throw .unusableSettings(
                    path,
                    "the position of \"\(DeviceName.shown(id))\" must be \"front\", \"back\" or \"unspecified\"")
            }
            camera.position = position
        }
        if let value = table["name"] {
            guard let name = value.string.map(DeviceName.shown) else {
                throw .unusableSettings(path, "the name of \"\(DeviceName.shown(id))\" must be a text in quotes")
            }
            camera.name = name.isEmpty ? nil : name
        }
        return camera
    }
}

extension CaptureError {
    static func unusableSettings(_ path: String, _ reason: String, errno: Int32? = nil) -> CaptureError {
        CaptureError(
            .unusableSettings, subject: path, reason: reason,
            advice: errno == nil ? "Mend the file, or remove it." : nil, errno: errno)
    }
}
