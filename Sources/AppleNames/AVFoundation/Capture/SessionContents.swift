// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The inputs, the outputs and the modes of a session.
struct SessionContents {
    var inputs: [AVCaptureInput] = []
    var outputs: [AVCaptureOutput] = []
    var preset = CaptureSession.Preset.high
    /// Modes that are not those of the preset.
    var modes: [CaptureDeviceInput: VideoFormat] = [:]

    var devices: [CaptureDeviceInput] { inputs.compactMap { ($0 as? AVCaptureDeviceInput)?.input } }

    /// The input of a device; nil if the session does not have it.
    func input(of device: AVCaptureDevice) -> CaptureDeviceInput? {
        inputs.lazy.compactMap { $0 as? AVCaptureDeviceInput }.first { $0.device === device }?.input
    }

    /// Changes the session of the engine to these contents. What stays is not touched.
    func apply(to configuration: inout CaptureSession.Configuration) throws {
        let (inputs, outputs) = (devices, outputs.map(\.output))
        for old in configuration.inputs where !inputs.contains(old) { configuration.removeInput(old) }
        for old in configuration.outputs where !outputs.contains(where: { $0 === old }) {
            configuration.removeOutput(old)
        }
        configuration.preset = preset
        for new in inputs where !configuration.inputs.contains(new) { try configuration.addInput(new) }
        for input in inputs { try configuration.setFormat(modes[input], for: input) }
        for new in outputs where !configuration.outputs.contains(where: { $0 === new }) {
            try configuration.addOutput(new)
        }
    }
}
