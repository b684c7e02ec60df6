// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A provider of the test-tone microphone. The name of the microphone selects the sound: `tone` for beeps, `tone:1000`
/// for a continuous tone of 1,000 Hz, `tone:1000@-12` for a continuous tone with a peak level of -12 dBFS, and
/// `tone:@-12` for beeps with a peak level of -12 dBFS.
public struct ToneDeviceProvider: CaptureDeviceProvider {
    private let isLive: Bool
    private let converters: (any AudioConverterProvider)?

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - isLive: whether sound is delivered in real time. If false, sound is delivered as fast as readers take it.
    ///   - converters: the provider of converters for readers that request an audio format other than the format of the
    ///     microphone. With nil, these readers fail.
    public init(isLive: Bool = true, converters: (any AudioConverterProvider)? = nil) {
        self.isLive = isLive
        self.converters = converters
    }

    /// The test-tone microphone, which beeps once a second.
    public var devices: [CaptureDevice] { [CaptureDevice(driver: ToneDriver(isLive: isLive, converters: converters))] }

    /// Returns the test-tone microphone with the sound that the name selects. Valid names are `tone` and names that
    /// begin with `tone:`, such as `tone:440`; for all other names, the result is nil.
    ///
    /// - Throws: ``ObscuraError/Code/noSuchDevice`` if the tone in the name is invalid.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? {
        guard source == "tone" || source.hasPrefix("tone:") else { return nil }
        guard source != "tone" else { return devices.first }
        let parts = source.dropFirst("tone:".count).split(separator: "@", omittingEmptySubsequences: false)
        let frequency = parts[0].isEmpty ? nil : Double(parts[0])
        let level = parts.count == 2 ? Double(parts[1]) : -6
        guard (1...2).contains(parts.count), parts[0].isEmpty || frequency != nil, let level,
            (1.0...20_000).contains(frequency ?? 1000), (-120.0...0).contains(level),
            !(parts[0].isEmpty && parts.count == 1)
        else { throw .malformed(source) }
        return CaptureDevice(
            driver: ToneDriver(frequency: frequency, level: level, isLive: isLive, converters: converters))
    }
}

extension ObscuraError {
    fileprivate static func malformed(_ source: String) -> ObscuraError {
        ObscuraError(
            .capture, .noSuchDevice, subject: source, reason: "it is not a valid test tone",
            advice: "Write it as tone:1000@-6, with 1 to 20000 Hz and -120 to 0 dBFS.")
    }
}
