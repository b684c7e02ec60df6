// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A device in the list, and as a `--json` object.
struct DeviceListing: Codable {
    /// One mode.
    struct Mode: Codable, Hashable {
        let width: Int
        let height: Int
        let pixelFormat: String
        /// Frames per second, as a fraction such as `30000/1001`; missing if the rate is not constant.
        let frameRate: String?

        init(_ format: VideoFormat) {
            width = format.width
            height = format.height
            pixelFormat = format.pixelFormat.rawValue
            frameRate = format.frameRate.map { "\($0.frames)/\($0.seconds)" }
        }
    }

    /// The audio formats of a microphone. Not every sample rate is available with every number of channels.
    struct Sound: Codable, Hashable {
        /// `s16`, `s32`, `f32`.
        let sampleTypes: [String]
        /// In hertz.
        let sampleRates: [Int]
        let channelCounts: [Int]

        /// Returns nil for a device without sound, or with unknown formats.
        init?(_ formats: [AudioFormat]) {
            guard !formats.isEmpty else { return nil }
            sampleTypes = Set(formats.map(\.sampleType.rawValue)).sorted()
            sampleRates = Set(formats.map(\.sampleRate)).sorted()
            channelCounts = Set(formats.map(\.channelCount)).sorted()
        }

        var text: String {
            let channels = channelCounts.map(String.init).joined(separator: ", ")
            let rates = sampleRates.map(String.init).joined(separator: ", ")
            return "\(sampleTypes.joined(separator: ", ")) with \(channels) channels at \(rates) Hz"
        }
    }

    let name: String
    /// The SOURCE argument of `obscura extract` and `obscura listen` for this device.
    let source: String
    let id: String
    /// The device node, such as `/dev/video0`; missing if there is none.
    let path: String?
    /// An identifier that all devices of one model share; missing if there is none.
    let model: String?
    /// `camera` (built in), `external` or `virtual`.
    let type: String
    /// `front`, `back` or `unspecified`.
    let position: String
    let isBuiltIn: Bool
    /// `authorized`, `denied`, `notDetermined` or `restricted`.
    let authorization: String
    /// The reason for a missing permission, such as `deniedByUser` or `filePermissions`; missing if this process has it,
    /// or if the reason is unknown.
    let accessReason: String?
    /// Instructions for getting access to the device; missing if this process has it.
    let advice: String?
    let modes: [Mode]
    /// Missing for a device without sound.
    let sound: Sound?
    /// The driver of the camera, and the reason for its choice; missing for other devices.
    let driver: CameraDriverSelection?
    /// The mode that each preset selects; missing unless requested.
    let presets: [PresetChoice]?

    /// The mode that a preset selects, and the reason.
    struct PresetChoice: Codable {
        let preset: String
        let mode: Mode
        let reason: String
    }

    init(_ device: CaptureDevice, isBuiltIn: Bool, explains: Bool = false) {
        name = device.localizedName
        id = device.uniqueID
        path = device.path
        source =
            isBuiltIn
            ? device.uniqueID : "\(device.mediaTypes.contains(.video) ? "camera" : "microphone"):\(device.uniqueID)"
        model = device.modelID
        type = device.deviceType.rawValue
        position = device.position.rawValue
        self.isBuiltIn = isBuiltIn
        authorization = device.authorizationStatus.rawValue
        accessReason = device.accessReason?.rawValue
        advice = device.authorizationStatus == .authorized ? nil : device.driver.accessRemedy?.commandText
        let formats = device.formats
        modes = formats.map(Mode.init)
        sound = Sound(device.audioFormats)
        driver = device.driverSelection
        guard explains else {
            presets = nil
            return
        }
        presets = CaptureSession.Preset.allCases.compactMap { preset in
            ModeChoice(preset, from: formats).map { choice in
                PresetChoice(preset: preset.rawValue, mode: Mode(choice.format), reason: choice.reason)
            }
        }
    }

    /// The device as text: its name, its source argument, and one line for each size and format.
    var text: String {
        var lines = [isBuiltIn ? "\(name) (built in)" : name, "  source    \(source)"]
        if let path { lines.append("  node      \(path)") }
        if presets != nil, let driver { lines.append("  driver    \(driver.explanation)") }
        if position != "unspecified" { lines.append("  position  \(position)") }
        if authorization != "authorized" {
            lines.append("  access    \(authorization)" + (accessReason.map { " (\($0))" } ?? ""))
        }
        if let advice { lines.append("            \(advice)") }
        for (index, line) in modeLines.enumerated() {
            lines.append("  \(index == 0 ? "modes " : "      ")    \(line)")
        }
        if let sound { lines.append("  sound     \(sound.text)") }
        for (index, choice) in (presets ?? []).enumerated() {
            let mode = "\(choice.mode.width)x\(choice.mode.height) \(choice.mode.pixelFormat)"
            lines.append("  \(index == 0 ? "presets" : "       ")   \(choice.preset): \(mode). \(choice.reason)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// One line for each size and set of frame rates, with the formats that have them.
    private var modeLines: [String] {
        var modes: [(size: String, format: String, rates: [String])] = []
        for mode in self.modes {
            let size = "\(mode.width)x\(mode.height)"
            let rate = mode.frameRate.map(Self.shortRate) ?? "any rate"
            if let index = modes.firstIndex(where: { $0.size == size && $0.format == mode.pixelFormat }) {
                modes[index].rates.append(rate)
            } else {
                modes.append((size, mode.pixelFormat, [rate]))
            }
        }
        var lines: [(size: String, rates: [String], formats: [String])] = []
        for mode in modes {
            if let index = lines.firstIndex(where: { $0.size == mode.size && $0.rates == mode.rates }) {
                lines[index].formats.append(mode.format)
            } else {
                lines.append((mode.size, mode.rates, [mode.format]))
            }
        }
        return lines.map { line in
            "\(line.size) \(line.formats.joined(separator: ", ")) at \(line.rates.joined(separator: ", "))"
        }
    }

    private static func shortRate(_ fraction: String) -> String {
        let parts = fraction.split(separator: "/").compactMap { Int32($0) }
        return parts.count == 2 ? FrameRate(parts[0], per: parts[1]).description : fraction
    }
}
