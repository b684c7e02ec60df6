// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// Conversions between our audio formats and those of FFmpeg.
package enum AudioSamples {
    static func ffmpeg(_ format: AudioFormat) -> AVSampleFormat {
        switch (format.sampleType, format.isInterleaved) {
        case (.int16, true): AV_SAMPLE_FMT_S16
        case (.int16, false): AV_SAMPLE_FMT_S16P
        case (.int32, true): AV_SAMPLE_FMT_S32
        case (.int32, false): AV_SAMPLE_FMT_S32P
        case (.float32, true): AV_SAMPLE_FMT_FLT
        case (.float32, false): AV_SAMPLE_FMT_FLTP
        }
    }

    /// Returns the format for the samples of a decoder; nil if there is no audio, or if it exceeds the limits of
    /// ``AudioFormat``.
    static func format(_ type: AVSampleFormat, rate: Int, channels: Int) -> AudioFormat? {
        guard (1...768_000).contains(rate), (1...64).contains(channels) else { return nil }
        let sampleType: AudioFormat.SampleType? =
            switch libav.av_get_packed_sample_fmt(type) {
            case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_S16: .int16
            case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S64: .int32
            case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_DBL: .float32
            default: nil
            }
        return sampleType.map {
            AudioFormat(
                sampleType: $0, sampleRate: rate, channelCount: channels,
                isInterleaved: libav.av_sample_fmt_is_planar(type) == 0)
        }
    }

    /// Returns the default channel layout for this number of channels; without a default, an unspecified layout.
    static func layout(_ channelCount: Int) -> AVChannelLayout {
        var layout = AVChannelLayout()
        libav.av_channel_layout_default(&layout, Int32(clamping: channelCount))
        return layout
    }
}

extension AudioBuffer.Samples {
    /// Creates samples: `body` gets the memory for `count` of them and returns the number that it wrote.
    package static func make(
        _ type: AudioFormat.SampleType, capacity: Int, _ body: (UnsafeMutableRawPointer?) -> Int
    ) -> AudioBuffer.Samples {
        switch type {
        case .int16:
            .int16(
                [Int16](unsafeUninitializedCapacity: capacity) { $1 = body(UnsafeMutableRawPointer($0.baseAddress)) })
        case .int32:
            .int32(
                [Int32](unsafeUninitializedCapacity: capacity) { $1 = body(UnsafeMutableRawPointer($0.baseAddress)) })
        case .float32:
            .float32(
                [Float](unsafeUninitializedCapacity: capacity) { $1 = body(UnsafeMutableRawPointer($0.baseAddress)) })
        }
    }
}

extension AudioBuffer {
    /// Calls `body` with pointers to the samples: one if they are interleaved, else one for each channel. The pointers
    /// are valid only during the call.
    package func withChannels<R>(_ body: (inout [UnsafePointer<UInt8>?]) -> R) -> R {
        func run(_ bytes: UnsafeRawBufferPointer) -> R {
            let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let step = frameCount * format.sampleType.byteCount
            var places = (0..<(format.isInterleaved ? 1 : format.channelCount)).map { base?.advanced(by: $0 * step) }
            return body(&places)
        }
        return switch samples {
        case .int16(let samples): samples.withUnsafeBytes(run)
        case .int32(let samples): samples.withUnsafeBytes(run)
        case .float32(let samples): samples.withUnsafeBytes(run)
        }
    }
}
