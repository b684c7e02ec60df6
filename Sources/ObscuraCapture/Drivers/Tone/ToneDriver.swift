// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The built-in microphone: it beeps at the beginning of each second, as the built-in camera flashes, or gives a tone
/// that never ends.
///
/// Live, the seconds are those of CLOCK_MONOTONIC, so that beep and flash fall together whenever the two were
/// started. Sound comes in buffers of 10 ms.
public struct ToneDriver: CaptureDriver {
    /// The name by which it can be named again.
    public let uniqueID: String
    /// The name to show to people.
    public let localizedName: String
    /// Whether sound comes in real time.
    public let isLive: Bool
    private let signal: ToneSignal
    private let converters: (any AudioConverterProvider)?

    /// - Parameters:
    ///   - frequency: of a tone that never ends, 1 to 20,000 Hz; nil beeps with 1,000 Hz instead.
    ///   - level: the loudest sample in dBFS, -120 to 0.
    ///   - isLive: false gives sound as fast as it is taken.
    ///   - converters: for readers that want the sound in another form; nil gives it as it is.
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

    /// Sound alone.
    public var mediaTypes: Set<MediaType> { [.audio] }
    /// It has no pictures.
    public var formats: [VideoFormat] { [] }

    /// 48,000 and 44,100 Hz, with one channel or two, as 32-bit floating point or 16-bit numbers.
    public var audioFormats: [AudioFormat] {
        [48_000, 44_100].flatMap { rate in
            [2, 1].flatMap { channels in
                [AudioFormat.SampleType.float32, .int16].map {
                    AudioFormat(sampleType: $0, sampleRate: rate, channelCount: channels)
                }
            }
        }
    }

    /// One of those that were given.
    public func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? {
        try converters?.makeAudioConverter(from: format, to: other)
    }

    /// One run of the microphone.
    public func makeRun(
        _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        let formats = audioFormats
        let wanted = request.audioFormat.flatMap { wanted in formats.first { $0 == wanted } }
        return ToneRun(signal: signal, format: wanted ?? formats[0], isLive: isLive, sink: sink, clock: clock)
    }
}
