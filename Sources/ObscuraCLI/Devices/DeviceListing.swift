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

        init(_ format: VideoFormat) {
            width = format.width
            height = format.height
            pixelFormat = format.pixelFormat.rawValue
            frameRate = format.frameRate.map { "\($0.frames)/\($0.seconds)" }
        }
    }

    /// In which forms a microphone gives sound. Not every rate goes with every number of channels.
    struct Sound: Codable, Hashable {
        /// `s16`, `s32`, `f32`.
        let sampleTypes: [String]
        /// In hertz.
        let sampleRates: [Int]
        let channelCounts: [Int]

        /// Nil for a device that gives none, or does not tell.
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
    /// What `obscura extract` and `obscura listen` take as their SOURCE for this device.
    let source: String
    let id: String
    /// Such as `/dev/video0`; missing where there is no such place.
    let path: String?
    /// The same for all devices of a model; missing where there is no such thing.
    let model: String?
    /// `camera` for a part of the machine, `external` or `virtual`.
    let type: String
    /// `front`, `back` or `unspecified`.
    let position: String
    let isBuiltIn: Bool
    /// `authorized`, `denied`, `notDetermined` or `restricted`.
    let authorization: String
    /// How to get the right to use it; missing where nothing is missing.
    let advice: String?
    let modes: [Mode]
    /// Missing for a camera without sound.
    let sound: Sound?
    /// Which mode each preset takes; missing unless asked for.
    let presets: [PresetChoice]?

    /// Which mode a preset takes, and why.
    struct PresetChoice: Codable {
        let preset: String
        let mode: Mode
        let reason: String
    }

    init(_ device: CaptureDevice, isBuiltIn: Bool, explainsPresets: Bool = false) {
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
        advice = device.authorizationStatus == .authorized ? nil : device.driver.accessRemedy?.commandText
        let formats = device.formats
        modes = formats.map(Mode.init)
        sound = Sound(device.audioFormats)
        guard explainsPresets else {
            presets = nil
            return
        }
        presets = CaptureSession.Preset.allCases.compactMap { preset in
            ModeChoice(preset, from: formats).map { choice in
                PresetChoice(preset: preset.rawValue, mode: Mode(choice.format), reason: choice.reason)
            }
        }
    }

    /// The device for people: its name, how to name it, and one line for each size and format.
    var text: String {
        var lines = [isBuiltIn ? "\(name) (built in)" : name, "  source    \(source)"]
        if let path { lines.append("  node      \(path)") }
        if position != "unspecified" { lines.append("  position  \(position)") }
        if authorization != "authorized" { lines.append("  access    \(authorization)") }
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

    /// One line for each size and set of rates, with the formats that have them.
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
