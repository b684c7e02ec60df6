// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import ObscuraCapture
internal import ObscuraMedia

/// The form of the file: `{"devices": {ID: {"name": …, "position": …}}}`. Other keys are kept as they are.
extension DeviceSettings {
    private struct File: Decodable {
        struct Camera: Decodable {
            var position: String?
            var name: String?
        }

        var devices: [String: Camera]?
    }

    /// Reads the text of the file at `path`.
    ///
    /// - Throws: ``ObscuraError/Code/unusableSettings``, with the place where the text is not JSON.
    init(text: [UInt8], path: String) throws(ObscuraError) {
        let file: File
        do {
            // The decoder's own error has no place in the text.
            _ = try JSONSerialization.jsonObject(with: Data(text))
            file = try JSONDecoder().decode(File.self, from: Data(text))
        } catch {
            throw .unusableSettings(path, Self.reason(error))
        }
        cameras = [:]
        for (id, entry) in file.devices ?? [:] {
            var camera = Camera()
            if let position = entry.position {
                guard let position = CaptureDevice.Position(rawValue: position) else {
                    throw .unusableSettings(
                        path,
                        "the position of \"\(DeviceName.shown(id))\" must be \"front\", \"back\" or \"unspecified\"")
                }
                camera.position = position
            }
            let name = entry.name.map(DeviceName.shown) ?? ""
            camera.name = name.isEmpty ? nil : name
            cameras[id] = camera
        }
    }

    /// Returns the text with changed settings for one camera. Nil leaves a setting unchanged; `unspecified` and an
    /// empty name clear it.
    ///
    /// - Parameter text: nil for a new file.
    /// - Throws: ``ObscuraError/Code/unusableSettings``, if the text is not JSON, or the result would be invalid.
    static func replacing(
        _ text: [UInt8]?, camera id: String, position: CaptureDevice.Position?, name: String?, path: String
    ) throws(ObscuraError) -> [UInt8] {
        func table(_ value: Any?, _ place: String) throws(ObscuraError) -> [String: Any] {
            guard let value else { return [:] }
            guard let table = value as? [String: Any] else {
                throw .unusableSettings(path, "\(place) is not a JSON object")
            }
            return table
        }
        do {
            var file = try table(text.map { try JSONSerialization.jsonObject(with: Data($0)) }, "it")
            var devices = try table(file["devices"], "devices")
            var camera = try table(devices[id], "\"\(DeviceName.shown(id))\"")
            if let position { camera["position"] = position == .unspecified ? nil : position.rawValue }
            if let name { camera["name"] = name.isEmpty ? nil : name }
            devices[id] = camera.isEmpty ? nil : camera
            file["devices"] = devices
            let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let result = [UInt8](try JSONSerialization.data(withJSONObject: file, options: options)) + "\n".utf8
            _ = try DeviceSettings(text: result, path: path)
            return result
        } catch let error as ObscuraError {
            throw error
        } catch {
            throw .unusableSettings(path, Self.reason(error))
        }
    }

    /// Returns the cause of an error of Foundation, for the user.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            let place = context.codingPath.map(\.stringValue).joined(separator: ".")
            return "\(place.isEmpty ? "it" : DeviceName.shown(place)) has a value of the wrong type"
        default:
            let cause = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
            return "it is not valid JSON\(cause.map { ": " + $0 } ?? "")"
        }
    }
}

extension ObscuraError {
    static func unusableSettings(_ path: String, _ reason: String, errno: Int32? = nil) -> ObscuraError {
        ObscuraError(
            .capture, .unusableSettings, subject: path, reason: reason,
            advice: errno == nil ? "Correct or delete the file." : nil, errno: errno)
    }
}
