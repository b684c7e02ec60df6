// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A device as it is listed, and as an object of `--json`.
struct DeviceListing: Codable {
    /// One mode.
    struct Mode: Codable, Hashable {
        let width: Int
        let height: Int
        let pixelFormat: String
        /// Frames a second, as a fraction such as `30000/1001`; missing where it is not fixed.
        let frameRate: String?
    }

    let name: String
    /// What `obscura extract` takes as its SOURCE for this device.
    let source: String
    let id: String
    /// The same for all cameras of a model; missing where there is no such thing.
    let model: String?
    /// `camera`, `external` or `virtual`.
    let type: String
    /// `front`, `back` or `unspecified`.
    let position: String
    let isBuiltIn: Bool
    /// `authorized`, `denied`, `notDetermined` or `restricted`.
    let authorization: String
    /// How to get the right to use it; missing where nothing is missing.
    let advice: String?
    let modes: [Mode]

    init(_ device: CaptureDevice, isBuiltIn: Bool) {
        name = device.localizedName
        id = device.uniqueID
        source = isBuiltIn ? device.uniqueID : "camera:\(device.uniqueID)"
        model = device.modelID
        type = device.deviceType.rawValue
        position = device.position.rawValue
        self.isBuiltIn = isBuiltIn
        authorization = device.authorizationStatus.rawValue
        advice = device.authorizationStatus == .authorized ? nil : device.driver.accessAdvice
        modes = device.formats.map { format in
            Mode(
                width: format.width, height: format.height, pixelFormat: format.pixelFormat.rawValue,
                frameRate: format.frameRate.map { "\($0.frames)/\($0.seconds)" })
        }
    }

    /// The device for people: its name, how to name it, and one line for each size and format.
    var text: String {
        var lines = [isBuiltIn ? "\(name) (built in)" : name, "  source    \(source)"]
        if position != "unspecified" { lines.append("  position  \(position)") }
        if authorization != "authorized" { lines.append("  access    \(authorization)") }
        if let advice { lines.append("            \(advice)") }
        var rates: [(mode: String, rates: [String])] = []
        for mode in modes {
            let name = "\(mode.width)x\(mode.height) \(mode.pixelFormat)"
            let rate = mode.frameRate.map(Self.shortRate) ?? "any rate"
            if let index = rates.firstIndex(where: { $0.mode == name }) {
                rates[index].rates.append(rate)
            } else {
                rates.append((name, [rate]))
            }
        }
        for (index, mode) in rates.enumerated() {
            let label = index == 0 ? "modes " : "      "
            lines.append("  \(label)    \(mode.mode) at \(mode.rates.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func shortRate(_ fraction: String) -> String {
        let parts = fraction.split(separator: "/").compactMap { Int32($0) }
        return parts.count == 2 ? FrameRate(parts[0], per: parts[1]).description : fraction
    }
}
