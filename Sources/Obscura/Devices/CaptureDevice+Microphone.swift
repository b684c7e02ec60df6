// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

extension CaptureDevice {
    /// Returns the microphone for the text after `microphone:`; the default one for an empty text.
    static func microphone(
        named name: String, among providers: [any CaptureDeviceProvider] = MicrophoneKinds.machine
    ) throws(ObscuraError) -> CaptureDevice {
        for provider in providers {
            let device = name.isEmpty ? provider.devices.first : try provider.device(named: "microphone:\(name)")
            if let device { return device }
        }
        throw .noMicrophone(name, providers.flatMap(\.devices))
    }
}

extension ObscuraError {
    fileprivate static func noMicrophone(_ name: String, _ devices: [CaptureDevice]) -> ObscuraError {
        let subject = name.isEmpty ? "microphone" : "microphone:\(name)"
        guard !devices.isEmpty else {
            return ObscuraError(
                .capture, .noSuchDevice, subject: subject,
                reason: "this machine has no microphone except the built-in test tone",
                remedy: .diagnose)
        }
        let names = devices.prefix(5).map { "microphone:\($0.uniqueID) (\($0.localizedName))" }
        let more = devices.count > 5 ? " and \(devices.count - 5) more" : ""
        return ObscuraError(
            .capture, .noSuchDevice, subject: subject,
            reason: "this machine has no such microphone; the microphones are \(names.joined(separator: ", "))\(more)",
            advice: "Use one of these names, or microphone for the default microphone.")
    }
}
