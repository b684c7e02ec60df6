// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The inputs, the outputs and the modes of a session.
struct SessionContents {
    var inputs: [AVCaptureInput] = []
    var outputs: [AVCaptureOutput] = []
    /// The outputs of preview layers.
    var layers: [AVCaptureOutput] = []
    /// The routes of outputs that are not connected by the session alone.
    var routes: [ObjectIdentifier: OutputRoute] = [:]
    private(set) var preset = CaptureSession.Preset.high
    /// What a program has selected instead of the mode of the preset.
    var selections: [CaptureDeviceInput: ModeSelection] = [:]

    var deviceInputs: [AVCaptureDeviceInput] { inputs.compactMap { $0 as? AVCaptureDeviceInput } }

    /// The outputs, and those of preview layers.
    var destinations: [AVCaptureOutput] { outputs + layers }

    /// The inputs from which an output receives.
    func sources(of output: AVCaptureOutput) -> [MediaType: AVCaptureDeviceInput] {
        (routes[ObjectIdentifier(output)] ?? OutputRoute()).sources(among: deviceInputs)
    }

    /// The outputs that are not connected by the session alone, with their inputs.
    var routed: [(output: AVCaptureOutput, sources: [MediaType: AVCaptureDeviceInput])] {
        destinations.filter { routes[ObjectIdentifier($0)] != nil }.map { ($0, sources(of: $0)) }
    }

    /// Removes an input, and its connections by the program.
    mutating func remove(_ input: AVCaptureDeviceInput) {
        inputs.removeAll { $0 === input }
        selections[input.input] = nil
        routes = routes.mapValues { route in
            var route = route
            route.links = route.links.filter { $0.value !== input }
            return route
        }
    }

    /// The input of a device; nil if the session does not have it.
    func input(of device: AVCaptureDevice) -> AVCaptureDeviceInput? { deviceInputs.first { $0.device === device } }

    /// Sets the preset, which selects the modes from now on. With `inputPriority` they stay as they are.
    mutating func setPreset(_ preset: CaptureSession.Preset) {
        if preset == .inputPriority {
            for input in deviceInputs where selections[input.input]?.base == nil {
                selections[input.input, default: ModeSelection()].base = usualMode(of: input.device)
            }
        } else {
            selections = [:]
        }
        self.preset = preset
    }

    /// Changes what is selected for an input.
    ///
    /// - Parameter isFormat: Whether the format is selected, which ends the choice by the preset.
    mutating func select(
        for input: AVCaptureDeviceInput, isFormat: Bool, _ change: (inout ModeSelection) -> Void
    ) {
        if isFormat { setPreset(.inputPriority) }
        change(&selections[input.input, default: ModeSelection()])
    }

    /// The mode that the preset selects; nil if it selects none.
    func usualMode(of device: AVCaptureDevice) -> VideoFormat? {
        let offered = device.device.formats
        // Presets do not apply to a source with a single mode.
        return offered.count == 1 ? offered[0] : preset.choose(from: offered)
    }

    /// The mode that the program has selected; nil if the preset selects it.
    func selectedMode(of input: AVCaptureDeviceInput) -> VideoFormat? {
        selections[input.input]?.mode(among: input.device.device.formats, usual: usualMode(of: input.device))
    }

    /// Changes the session of the engine to these contents. What stays is not touched.
    func apply(to configuration: inout CaptureSession.Configuration) throws {
        let (inputs, outputs) = (deviceInputs.map(\.input), destinations.map(\.output))
        for old in configuration.inputs where !inputs.contains(old) { configuration.removeInput(old) }
        for old in configuration.outputs where !outputs.contains(where: { $0 === old }) {
            configuration.removeOutput(old)
        }
        configuration.preset = preset
        for new in inputs where !configuration.inputs.contains(new) { try configuration.addInput(new) }
        for input in deviceInputs { try configuration.setFormat(selectedMode(of: input), for: input.input) }
        for new in outputs where !configuration.outputs.contains(where: { $0 === new }) {
            try configuration.addOutput(new)
        }
        for (output, sources) in routed {
            for connection in output.output.connections {
                guard let source = sources[connection.mediaType] else { continue }
                try configuration.connect(connection, to: source.input)
            }
        }
    }
}
