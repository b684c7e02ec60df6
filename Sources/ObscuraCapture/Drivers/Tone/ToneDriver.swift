// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The test-tone microphone, which delivers either a beep at the beginning of each second or a continuous tone. The
/// beeps coincide with the flashes of the test-pattern camera.
///
/// If ``isLive`` is true, a second begins at each full second of CLOCK_MONOTONIC. Beep and flash therefore coincide
/// even if the microphone and the camera were started at different times. Sound is delivered in buffers of 10 ms.
public struct ToneDriver: CaptureDriver {
    /// The unique id, such as `tone` or `tone:1000@-12`.
    public let uniqueID: String
    /// The display name.
    public let localizedName: String
    /// Whether sound is delivered in real time. If false, sound is delivered as fast as readers take it.
    public let isLive: Bool
    private let signal: ToneSignal
    private let converters: (any AudioConverterProvider)?

    /// Creates a microphone.
    ///
    /// - Parameters:
    ///   - frequency: the frequency of a continuous tone, 1 to 20,000 Hz; nil for beeps of 1,000 Hz.
    ///   - level: the peak level in dBFS, -120 to 0.
    ///   - isLive: whether sound is delivered in real time. If false, sound is delivered as fast as readers take it.
    ///   - converters: the provider of converters for readers that request an audio format other than the format of the
    ///     microphone. With nil, these readers fail.
    public init(
        frequency: Double? = nil, level: Double = -6, isLive: Bool = true,
        converters: (any AudioConverterProvider)? = nil
    ) {
        self.converters = converters
        let held = frequency.map { min(max(1, $0), 20_000) }
        let loudness = level.isNaN ? -6 : min(max(-120, level), 0)
        signal = ToneSignal(frequency: held ?? 1000, level: loudness, beeps: held == nil)
        self.isLive = isLive
        let suffix = loudness == -6 ? "" : "@\(Self.text(loudness))"
        uniqueID = (held.map { "tone:\(Self.text($0))" } ?? (suffix.isEmpty ? "tone" : "tone:")) + suffix
        localizedName = held.map { "Test tone (\(Self.text($0)) Hz)" } ?? "Test tone"
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }

    /// The media types: audio only.
    public var mediaTypes: Set<MediaType> { [.audio] }
    /// The video modes: empty for a microphone.
    public var formats: [VideoFormat] { [] }

    /// The audio formats: 48,000 and 44,100 Hz, one or two channels, 32-bit floating point or 16-bit integers.
    public var audioFormats: [AudioFormat] {
        [48_000, 44_100].flatMap { rate in
            [2, 1].flatMap { channels in
                [AudioFormat.SampleType.float32, .int16].map {
                    AudioFormat(sampleType: $0, sampleRate: rate, channelCount: channels)
                }
            }
        }
    }

    /// Returns a converter from the provider passed to the initializer; nil if no provider was passed.
    public func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? {
        try converters?.makeAudioConverter(from: format, to: other)
    }

    /// Creates a run of the microphone: the delivery of sound from a start to a stop.
    public func makeRun(
        _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        let formats = audioFormats
        let wanted = request.audioFormat.flatMap { wanted in formats.first { $0 == wanted } }
        return ToneRun(signal: signal, format: wanted ?? formats[0], isLive: isLive, sink: sink, clock: clock)
    }
}
