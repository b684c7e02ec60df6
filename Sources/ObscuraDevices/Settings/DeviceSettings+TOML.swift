// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

extension DeviceSettings {
    /// What the text of the file at `path` says.
    ///
    /// - Throws: ``ObscuraError/Code/unusableSettings``, with line and column where the text is no TOML.
    init(text: [UInt8], path: String) throws(ObscuraError) {
        let document = try SettingsDocument(text: text, path: path)
        cameras = [:]
        guard !document.arrays.contains(where: { $0.first == "devices" }) else {
            throw .unusableSettings(path, "devices is not a table; write [devices.\"ID\"]")
        }
        for entry in document.entries where entry.path.first == "devices" {
            guard entry.path.count > 1 else {
                throw .unusableSettings(path, "devices is not a table; write [devices.\"ID\"]")
            }
            let id = entry.path[1]
            guard entry.path.count > 2 else {
                throw .unusableSettings(path, "devices.\"\(DeviceName.shown(id))\" is not a table")
            }
            try cameras[id, default: Camera()].take(entry, id, path)
        }
    }
}

extension DeviceSettings.Camera {
    fileprivate mutating func take(
        _ entry: SettingsDocument.Entry, _ id: String, _ path: String
    ) throws(ObscuraError) {
        var text: String?
        if case .text(let value) = entry.value, entry.path.count == 3 { text = value }
        switch entry.path[2] {
        case "position":
            guard let position = text.flatMap(CaptureDevice.Position.init) else {
                throw .unusableSettings(
                    path,
                    "the position of \"\(DeviceName.shown(id))\" must be \"front\", \"back\" or \"unspecified\"")
            }
            self.position = position
        case "name":
            guard let name = text.map(DeviceName.shown) else {
                throw .unusableSettings(path, "the name of \"\(DeviceName.shown(id))\" must be a text in quotes")
            }
            self.name = name.isEmpty ? nil : name
        default: break
        }
    }
}

extension SettingsDocument {
    /// The document in the file at `path`.
    init(text: [UInt8], path: String) throws(ObscuraError) {
        guard String(validating: text, as: UTF8.self) != nil else {
            throw .unusableSettings(path, "it is not a text file in UTF-8")
        }
        do {
            try self.init(text)
        } catch {
            throw .unusableSettings("\(path):\(error.line):\(error.column)", DeviceName.shown(error.reason))
        }
    }
}

extension ObscuraError {
    static func unusableSettings(_ path: String, _ reason: String, errno: Int32? = nil) -> ObscuraError {
        ObscuraError(
            .capture, .unusableSettings, subject: path, reason: reason,
            advice: errno == nil ? "Mend the file, or remove it." : nil, errno: errno)
    }
}
