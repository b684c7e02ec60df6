// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// The audio of a decoded frame: unchanged if AudioFormat has its sample type, else converted. 8-bit samples become 16
/// bits, 64-bit integers are reduced below the precision of any converter, and doubles become floats.
extension Frame {
    /// The number of sample frames.
    package var sampleCount: Int { max(0, Int(pointer.pointee.nb_samples)) }

    /// The format in which the samples are returned; nil if there is no audio, or if it exceeds the limits of
    /// ``AudioFormat``.
    package var audioFormat: AudioFormat? {
        AudioSamples.format(
            AVSampleFormat(rawValue: pointer.pointee.format), rate: Int(pointer.pointee.sample_rate),
            channels: Int(pointer.pointee.ch_layout.nb_channels))
    }

    /// Returns the samples of these sample frames, in the type of ``audioFormat``.
    ///
    /// - Precondition: `range` is within ``sampleCount``.
    package func samples(_ range: Range<Int>, as format: AudioFormat) -> AudioBuffer.Samples {
        let own = AVSampleFormat(rawValue: pointer.pointee.format)
        switch libav.av_get_packed_sample_fmt(own) {
        case AV_SAMPLE_FMT_U8: return .int16(converted(range, format) { (value: UInt8) in (Int16(value) - 128) << 8 })
        case AV_SAMPLE_FMT_S64:
            return .int32(converted(range, format) { (value: Int64) in Int32(truncatingIfNeeded: value >> 32) })
        case AV_SAMPLE_FMT_DBL: return .float32(converted(range, format) { (value: Double) in Float(value) })
        case AV_SAMPLE_FMT_S16: return .int16(copied(range, format))
        case AV_SAMPLE_FMT_S32: return .int32(copied(range, format))
        default: return .float32(copied(range, format))
        }
    }

    private func copied<Sample>(_ range: Range<Int>, _ format: AudioFormat) -> [Sample] {
        gathered(range, format) { target, source, count in target.update(from: source, count: count) }
    }

    private func converted<Source, Sample>(
        _ range: Range<Int>, _ format: AudioFormat, _ convert: (Source) -> Sample
    ) -> [Sample] {
        gathered(range, format) { target, source, count in
            for index in 0..<count { target[index] = convert(source[index]) }
        }
    }

    /// Collects the samples of all planes; interleaved samples are one plane.
    private func gathered<Source, Sample>(
        _ range: Range<Int>, _ format: AudioFormat,
        _ take: (UnsafeMutablePointer<Sample>, UnsafePointer<Source>, Int) -> Void
    ) -> [Sample] {
        let (planes, width) = format.isInterleaved ? (1, format.channelCount) : (format.channelCount, 1)
        let count = range.count * width
        return [Sample](unsafeUninitializedCapacity: planes * count) { samples, filled in
            guard let target = samples.baseAddress, let sources = pointer.pointee.extended_data else { return }
            for plane in 0..<planes {
                guard let source = sources[plane] else { return }
                UnsafeRawPointer(source).withMemoryRebound(to: Source.self, capacity: sampleCount * width) {
                    take(target + plane * count, $0 + range.lowerBound * width, count)
                }
                filled += count
            }
        }
    }
}
