// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraCapture
internal import ObscuraMovies

/// A reader of the sound of a track, to the sample within the range.
final class SoundTrackReader: TrackReader {
    private let reader: MovieReader
    private let range: ReadingRange
    private let form: SoundForm
    /// The format of the last decoded sound, and its converter.
    private var conversion: (source: AudioFormat, converter: any AudioConverter)?
    /// Converted sound to return next.
    private var ready: [AudioBuffer] = []
    private var hasEnded = false
    private var format: CMFormatDescription?

    init(_ track: AVAssetTrack, _ range: ReadingRange, _ form: SoundForm, control: ReadControl) throws(ObscuraError) {
        reader = try MovieReader(
            track.source.location, options: range.options(stream: track.index), needsPictures: false, control: control)
        self.range = range
        self.form = form
    }

    func next() throws -> CMSampleBuffer? {
        while ready.isEmpty, !hasEnded {
            if let sound = try read() {
                try convert(sound)
            } else {
                hasEnded = true
                try finishConversion()
            }
        }
        guard !ready.isEmpty else { return nil }
        let sound = ready.removeFirst()
        let format = CMFormatDescription.of(sound, last: format)
        self.format = format
        return CMSampleBuffer(sound, format)
    }

    /// Returns the next decoded sound in the range.
    private func read() throws(ObscuraError) -> AudioBuffer? {
        while let element = try reader.next(takingSound: true) {
            guard case .sound(let sound) = element else { continue }
            guard range.isBeforeEnd(sound.presentationTime) else { return nil }
            return range.end.map { sound.before($0) } ?? sound
        }
        return nil
    }

    private func convert(_ sound: AudioBuffer) throws(ObscuraError) {
        ready += try converter(for: sound.format).convert(sound)
    }

    private func converter(for source: AudioFormat) throws(ObscuraError) -> any AudioConverter {
        if let conversion, conversion.source == source { return conversion.converter }
        try finishConversion()
        let converter = try FFmpegConverters().makeAudioConverter(from: source, to: form.format(for: source))
        conversion = (source, converter)
        return converter
    }

    private func finishConversion() throws(ObscuraError) {
        if let rest = try conversion?.converter.finish() { ready.append(rest) }
        conversion = nil
    }
}

extension AudioBuffer {
    /// The sample frames that begin before a time.
    fileprivate func before(_ time: MediaTime) -> AudioBuffer {
        let frames = (time - presentationTime).converted(toTimescale: Int32(clamping: format.sampleRate))
        guard frames.value < frameCount else { return self }
        // Rounded up: a sample frame that begins before the time is part of the range.
        let count = frames.value + (frames < time - presentationTime ? 1 : 0)
        guard count < frameCount else { return self }
        return AudioBuffer(
            format: format, samples: samples.prefix(Int(max(0, count)), of: frameCount, format),
            presentationTime: presentationTime, hostTime: hostTime, position: position, attachments: attachments)
    }
}

extension AudioBuffer.Samples {
    /// Returns the first `count` of `frameCount` sample frames.
    fileprivate func prefix(_ count: Int, of frameCount: Int, _ format: AudioFormat) -> AudioBuffer.Samples {
        func part<Sample>(_ samples: [Sample]) -> [Sample] {
            if format.isInterleaved { return Array(samples.prefix(count * format.channelCount)) }
            return (0..<format.channelCount).flatMap { samples[($0 * frameCount)..<($0 * frameCount + count)] }
        }
        return switch self {
        case .int16(let samples): .int16(part(samples))
        case .int32(let samples): .int32(part(samples))
        case .float32(let samples): .float32(part(samples))
        }
    }
}
