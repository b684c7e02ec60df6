// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The sound that accompanies the frames of a source.
struct MicrophoneOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Sound source: 'microphone', 'microphone:ID', 'tone' (test tone) or 'none'; may be repeated.",
            discussion: """
                Default: the sound of the video source. If the video source has no sound: the first microphone for a \
                camera, the test tone for the test pattern, no sound for a movie. Several sound sources are mixed. \
                obscura devices lists the IDs.
                """, valueName: "source"))
    private var microphone: [String] = []

    @Option(
        help: ArgumentHelp(
            "Volume factor for the sound source of --microphone, 0 to 100, such as 0.5 (default: 1).",
            discussion: """
                If --microphone is repeated, repeat --gain in the same order. Peaks above full scale are limited.
                """,
            valueName: "factor"))
    private var gain: [Double] = []

    /// Whether the sound of the source itself is omitted, too.
    var isNone: Bool { microphone == ["none"] }

    /// Whether the sound comes from a separate, live source.
    var isSeparate: Bool { !microphone.isEmpty && !isNone }

    func validate() throws {
        if microphone.count > 1, microphone.contains("none") {
            throw ValidationError("--microphone none cannot be combined with other sound sources.")
        }
        guard gain.count <= (isSeparate ? microphone.count : 0) else {
            throw ValidationError("Each --gain needs a --microphone other than none.")
        }
        guard gain.allSatisfy((0...100).contains) else { throw ValidationError("--gain must be 0 to 100.") }
    }

    /// Returns the inputs of a session: the source, and the microphone if there is one.
    ///
    /// - Parameter waits: whether the session waits for devices that are not available.
    func inputs(of source: String, reading: MovieReadingOptions, waits: Bool) throws -> [CaptureDeviceInput] {
        let device = try CaptureDevice.named(source, reading: reading)
        let devices = [device, try companion(of: device, named: source, trust: reading.trust)]
        return try devices.compactMap(\.self).map { try CaptureDeviceInput(device: $0, startsWhenAvailable: waits) }
    }

    private func companion(
        of device: CaptureDevice, named source: String, trust: ServerTrust
    ) throws -> CaptureDevice? {
        if isNone { return nil }
        let devices = try microphone.map { try CaptureDevice.named($0, reading: MovieReadingOptions(trust: trust)) }
        if devices.count > 1 || !gain.isEmpty {
            return try .mixing(
                devices.enumerated().map { AudioMixerSource($1, gain: $0 < gain.count ? gain[$0] : 1) })
        }
        if let microphone = devices.first { return microphone }
        if device.mediaTypes.contains(.audio) { return nil }
        switch SourceKind(source) {
        case .film: return nil
        case .pattern: return try CaptureDevice.named("tone")
        case .camera, .microphone, .tone: return CaptureDevice.default(for: .audio)
        }
    }
}
