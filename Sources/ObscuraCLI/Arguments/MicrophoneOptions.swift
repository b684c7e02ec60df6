// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The sound that accompanies the frames of a source.
struct MicrophoneOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Sound source: microphone, microphone:ID, tone, or none for no sound.",
            discussion: """
                Default: the sound of the source itself, if it has sound; otherwise the tone for the test pattern, and \
                the first microphone for a camera.
                """, valueName: "source"))
    private var microphone: String?

    /// Whether the sound of the source itself is omitted, too.
    var isNone: Bool { microphone == "none" }

    /// Whether the sound comes from a separate, live source.
    var isSeparate: Bool { microphone != nil && !isNone }

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
        if let microphone {
            return isNone ? nil : try CaptureDevice.named(microphone, reading: MovieReadingOptions(trust: trust))
        }
        if device.mediaTypes.contains(.audio) { return nil }
        switch SourceKind(source) {
        case .film: return nil
        case .pattern: return try CaptureDevice.named("tone")
        case .camera, .microphone, .tone: return CaptureDevice.default(for: .audio)
        }
    }
}
