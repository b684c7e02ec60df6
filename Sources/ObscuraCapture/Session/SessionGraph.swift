// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
internal import ObscuraMedia

/// Which inputs a session has, in which modes, and which output takes from which: a pure value, checked
/// as a whole before anything is touched.
struct SessionGraph: Sendable {
    var preset = SessionPreset.high
    private(set) var inputs: [CaptureDeviceInput] = []
    private(set) var outputs: [any SessionOutput] = []
    /// The modes that were asked for by name.
    private var formats: [CaptureDeviceInput: VideoFormat] = [:]
    /// In which form sound was asked for by name.
    private var audioFormats: [CaptureDeviceInput: AudioFormat] = [:]
    /// The links that were asked for by name; other connections take the first input that has what they take.
    private var links: [ObjectIdentifier: CaptureDeviceInput] = [:]

    /// What a checked graph comes to.
    struct Plan: Sendable {
        /// How each input is to run.
        var requests: [CaptureDeviceInput: RunRequest] = [:]
        /// The input of each connection, in the order of the outputs.
        var routes: [Route] = []
    }

    /// What a connection takes from.
    struct Route: Sendable {
        let output: any SessionOutput
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

    /// Puts `other` in the place of `input`: what took from the one takes from the other.
    mutating func replace(_ input: CaptureDeviceInput, with other: CaptureDeviceInput) throws(ObscuraError) {
        guard let index = inputs.firstIndex(of: input) else { throw .notInSession(input) }
        inputs[index] = other
        formats[input] = nil
        audioFormats[input] = nil
        for (connection, link) in links where link == input { links[connection] = other }
    }

    mutating func add(_ output: any CaptureOutput) throws(ObscuraError) {
        if outputs.contains(where: { $0 === output }) {
            throw .invalidConfiguration("the output \(output.name)", "it is in the session already")
        }
        guard let output = output as? any SessionOutput else {
            throw .invalidConfiguration(
                "the output \(output.name)", "it is of a kind that the session does not know",
                "Use one of the library's own outputs, such as VideoDataOutput.")
        }
        outputs.append(output)
    }

    mutating func remove(_ output: any CaptureOutput) {
        outputs.removeAll { $0 === output }
        for connection in output.connections { links[ObjectIdentifier(connection)] = nil }
    }

    mutating func connect(_ output: any CaptureOutput, to input: CaptureDeviceInput) throws(ObscuraError) {
        guard inputs.contains(input), outputs.contains(where: { $0 === output }) else {
            throw .invalidConfiguration(
                "the connection of \(output.name)", "both its input and its output must be in the session")
        }
        let connections = output.connections.filter { input.device.mediaTypes.contains($0.mediaType) }
        if connections.isEmpty {
            throw .invalidConfiguration(
                "the connection of \(output.name)", "\(input.device.localizedName) gives nothing that it takes")
        }
        for connection in connections { links[ObjectIdentifier(connection)] = input }
    }

    /// The mode that was asked for by name; nil where the preset chooses.
    func chosenFormat(of input: CaptureDeviceInput) -> VideoFormat? { formats[input] }

    mutating func setFormat(_ format: VideoFormat?, for input: CaptureDeviceInput) throws(ObscuraError) {
        guard inputs.contains(input) else { throw .notInSession(input) }
        formats[input] = format
    }

    mutating func setAudioFormat(_ format: AudioFormat?, for input: CaptureDeviceInput) throws(ObscuraError) {
        guard inputs.contains(input) else { throw .notInSession(input) }
        audioFormats[input] = format
    }

    /// Checks everything and chooses the modes.
    func plan() throws(ObscuraError) -> Plan {
        var plan = Plan()
        for (index, input) in inputs.enumerated() {
            if inputs[..<index].contains(where: { $0.device == input.device }) {
                throw .invalidConfiguration(input.device.localizedName, "it is in the session twice")
            }
            plan.requests[input] = RunRequest(
                videoFormat: try format(of: input), audioFormat: audioFormats[input],
                startsWhenAvailable: input.startsWhenAvailable)
        }
        plan.routes = outputs.flatMap { output in
            output.connections.map { connection in
                let usual = inputs.first { $0.device.mediaTypes.contains(connection.mediaType) }
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

    /// Whether frames of the mode can be made what the output asks for. A compressed one is decoded first.
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
        // A source with one mode is what it is: a preset asks cameras to choose.
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
        .invalidConfiguration("the input \(input.device.localizedName)", "it is not in the session")
    }

    fileprivate static func unsupported(_ device: CaptureDevice, _ what: String) -> ObscuraError {
        let known = device.formats.map(\.summary).joined(separator: ", ")
        return ObscuraError(
            .capture, .unsupportedFormat, subject: device.localizedName, reason: "it has no mode for \(what)",
            advice: "It has \(known).")
    }
}

extension VideoFormat {
    /// Such as `1280x720 i420 at 30`.
    fileprivate var summary: String {
        let rate = frameRate.map { " at \($0)" } ?? ""
        return "\(size) \(pixelFormat.rawValue)\(rate)"
    }
}
