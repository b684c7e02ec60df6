// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
internal import ObscuraMedia

/// The inputs of a session, their modes and the connections of the outputs: a pure value, checked as a whole before
/// it is applied.
struct SessionGraph: Sendable {
    var preset = SessionPreset.high
    private(set) var inputs: [CaptureDeviceInput] = []
    private(set) var outputs: [CaptureOutput] = []
    /// Explicitly selected modes.
    private var formats: [CaptureDeviceInput: VideoFormat] = [:]
    /// Explicitly selected audio formats.
    private var audioFormats: [CaptureDeviceInput: AudioFormat] = [:]
    /// Explicit links; the n-th other connection of an output uses the n-th input with its media type.
    private var links: [ObjectIdentifier: CaptureDeviceInput] = [:]

    /// The result of checking a graph.
    struct Plan: Sendable {
        /// The request with which each input runs.
        var requests: [CaptureDeviceInput: RunRequest] = [:]
        /// The input of each connection, in the order of the outputs.
        var routes: [Route] = []
    }

    /// The input of a connection.
    struct Route: Sendable {
        let output: CaptureOutput
        let connection: CaptureConnection
        let input: CaptureDeviceInput?
    }

    mutating func add(_ input: CaptureDeviceInput) throws(ObscuraError) {
        if inputs.contains(input) {
            throw .invalidConfiguration("the input \(input.device.localizedName)", "it is in the session already")
        }
        inputs.append(input)
    }

    mutating func remove(_ input: CaptureDeviceInput) {
        inputs.removeAll { $0 == input }
        formats[input] = nil
        audioFormats[input] = nil
        links = links.filter { $0.value != input }
    }

    /// Replaces `input` by `other`; the outputs of the old input are connected to the new one.
    mutating func replace(_ input: CaptureDeviceInput, with other: CaptureDeviceInput) throws(ObscuraError) {
        guard let index = inputs.firstIndex(of: input) else { throw .notInSession(input) }
        inputs[index] = other
        formats[input] = nil
        audioFormats[input] = nil
        for (connection, link) in links where link == input { links[connection] = other }
    }

    mutating func add(_ output: CaptureOutput) throws(ObscuraError) {
        if outputs.contains(where: { $0 === output }) {
            throw .invalidConfiguration("the output \(output.name)", "it is in the session already")
        }
        outputs.append(output)
    }

    mutating func remove(_ output: CaptureOutput) {
        outputs.removeAll { $0 === output }
        for connection in output.connections { links[ObjectIdentifier(connection)] = nil }
    }

    mutating func connect(_ output: CaptureOutput, to input: CaptureDeviceInput) throws(ObscuraError) {
        guard inputs.contains(input), outputs.contains(where: { $0 === output }) else {
            throw .invalidConfiguration(
                "the connection of \(output.name)", "the input and the output must both be in the session",
                "Add both to the session first.")
        }
        let connections = output.connections.filter { input.device.mediaTypes.contains($0.mediaType) }
        if connections.isEmpty {
            throw .invalidConfiguration(
                "the connection of \(output.name)",
                "the output does not support the media types of \(input.device.localizedName)")
        }
        if Set(connections.map(\.mediaType)).count < connections.count {
            throw .invalidConfiguration(
                "the connection of \(output.name)", "the output has several connections for a media type of the input",
                "Call connect with one of the output's connections.")
        }
        for connection in connections { links[ObjectIdentifier(connection)] = input }
    }

    mutating func connect(_ connection: CaptureConnection, to input: CaptureDeviceInput) throws(ObscuraError) {
        guard inputs.contains(input), outputs.contains(where: { $0.connections.contains { $0 === connection } }) else {
            throw .invalidConfiguration(
                "the connection of \(connection.outputName)", "the input and the output must both be in the session",
                "Add both to the session first.")
        }
        guard input.device.mediaTypes.contains(connection.mediaType) else {
            throw .invalidConfiguration(
                "the connection of \(connection.outputName)",
                "\(input.device.localizedName) does not deliver \(connection.mediaType.rawValue)")
        }
        links[ObjectIdentifier(connection)] = input
    }

    /// Returns the explicitly selected mode; nil if the preset selects it.
    func chosenFormat(of input: CaptureDeviceInput) -> VideoFormat? { formats[input] }

    mutating func setFormat(_ format: VideoFormat?, for input: CaptureDeviceInput) throws(ObscuraError) {
        guard inputs.contains(input) else { throw .notInSession(input) }
        formats[input] = format
    }

    mutating func setAudioFormat(_ format: AudioFormat?, for input: CaptureDeviceInput) throws(ObscuraError) {
        guard inputs.contains(input) else { throw .notInSession(input) }
        audioFormats[input] = format
    }

    /// Checks the graph and selects the modes.
    func plan() throws(ObscuraError) -> Plan {
        var plan = Plan()
        for (index, input) in inputs.enumerated() {
            if inputs[..<index].contains(where: { $0.device == input.device }) {
                throw .invalidConfiguration(
                    input.device.localizedName, "the device is in the session twice", "Remove one of its inputs.")
            }
            plan.requests[input] = RunRequest(
                videoFormat: try format(of: input), audioFormat: audioFormats[input],
                startsWhenAvailable: input.startsWhenAvailable, pausesWhileLocked: input.pausesWhileLocked)
        }
        plan.routes = outputs.flatMap { output in
            // The first connection of a media type gets its first input, the second one the second input, and so on.
            var counts: [MediaType: Int] = [:]
            return output.connections.map { connection in
                let usual = inputs.filter { $0.device.mediaTypes.contains(connection.mediaType) }
                    .dropFirst(counts[connection.mediaType, default: 0]).first
                counts[connection.mediaType, default: 0] += 1
                return Route(
                    output: output, connection: connection, input: links[ObjectIdentifier(connection)] ?? usual)
            }
        }
        for route in plan.routes where route.connection.mediaType == .video {
            guard let request = route.output.checkedRequest, let input = route.input,
                let format = plan.requests[input]?.videoFormat
            else { continue }
            try Self.check(request, of: route.output.name, on: format)
        }
        return plan
    }

    /// Checks that frames of the mode can be converted to the output's request. Compressed frames are decoded
    /// first.
    private static func check(
        _ request: ImageRequest, of output: String, on format: VideoFormat
    ) throws(ObscuraError) {
        let decoded = format.pixelFormat.isCompressed ? PixelFormat.i420 : format.pixelFormat
        do throws(ObscuraError) {
            _ = try ImageTransformer.result(of: request, for: decoded, size: format.size)
        } catch {
            throw .refused(error, output)
        }
    }

    private func format(of input: CaptureDeviceInput) throws(ObscuraError) -> VideoFormat? {
        let offered = input.device.formats
        if let format = formats[input] {
            guard input.device.driver.supports(format) else {
                throw .unsupported(input.device, format.summary)
            }
            return format
        }
        if offered.isEmpty { return nil }
        // Presets do not apply to a source with a single mode.
        if offered.count == 1 { return offered[0] }
        guard let format = preset.choose(from: offered) else {
            throw .unsupported(input.device, "preset \(preset.rawValue)")
        }
        return format
    }
}

extension ObscuraError {
    static func invalidConfiguration(_ subject: String, _ reason: String, _ advice: String? = nil) -> ObscuraError {
        ObscuraError(.capture, .invalidConfiguration, subject: subject, reason: reason, advice: advice)
    }

    fileprivate static func notInSession(_ input: CaptureDeviceInput) -> ObscuraError {
        .invalidConfiguration(
            "the input \(input.device.localizedName)", "it is not in the session", "Add the input first.")
    }

    fileprivate static func unsupported(_ device: CaptureDevice, _ what: String) -> ObscuraError {
        let known = device.formats.map(\.summary).joined(separator: ", ")
        return ObscuraError(
            .capture, .unsupportedFormat, subject: device.localizedName,
            reason: "it has no mode (size, format and frame rate) for \(what)",
            advice: "Choose one of its modes: \(known).")
    }
}

extension VideoFormat {
    /// A description such as `1280x720 i420 at 30`.
    fileprivate var summary: String {
        let rate = frameRate.map { " at \($0)" } ?? ""
        return "\(size) \(pixelFormat.rawValue)\(rate)"
    }
}
