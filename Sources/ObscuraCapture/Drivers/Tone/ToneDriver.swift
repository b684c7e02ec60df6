// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The built-in microphone: it beeps at the beginning of each second, while the built-in camera flashes, or
/// delivers a continuous tone.
///
/// If live, the seconds are those of CLOCK_MONOTONIC, so that beep and flash coincide whenever the two were
/// started. Sound is delivered in buffers of 10 ms.
public struct ToneDriver: CaptureDriver {
    /// The name that selects the device again.
    public let uniqueID: String
    /// The display name.
    public let localizedName: String
    /// Whether sound is delivered in real time.
    public let isLive: Bool
    private let signal: ToneSignal
    private let converters: (any AudioConverterProvider)?

    /// Creates a microphone.
    ///
    /// - Parameters:
    ///   - frequency: of a continuous tone, 1 to 20,000 Hz; nil beeps at 1,000 Hz instead.
    ///   - level: the peak level in dBFS, -120 to 0.
    ///   - isLive: false delivers sound as fast as it is consumed.
    ///   - converters: for readers that request another format; nil delivers the sound unconverted.
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

    /// Audio only.
    public var mediaTypes: Set<MediaType> { [.audio] }
    /// Empty: it has no video.
    public var formats: [VideoFormat] { [] }

    /// 48,000 and 44,100 Hz, with one or two channels, as 32-bit floating point or 16-bit integers.
    public var audioFormats: [AudioFormat] {
        [48_000, 44_100].flatMap { rate in
            [2, 1].flatMap { channels in
                [AudioFormat.SampleType.float32, .int16].map {
                    AudioFormat(sampleType: $0, sampleRate: rate, channelCount: channels)
                }
            }
        }
    }

    /// Creates a converter with the provider given at creation.
    public func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? {
        try converters?.makeAudioConverter(from: format, to: other)
    }

    /// Creates one run of the microphone.
    public func makeRun(
        _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        let formats = audioFormats
        let wanted = request.audioFormat.flatMap { wanted in formats.first { $0 == wanted } }
        return ToneRun(signal: signal, format: wanted ?? formats[0], isLive: isLive, sink: sink, clock: clock)
    }
}
