// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
package import ObscuraMedia

/// The parameters of streams that were not encoded here, for writing them unchanged.
extension CodecParameters {
    /// Creates the parameters of compressed video. Returns nil if there is no memory.
    package convenience init?(_ video: VideoParameters) {
        self.init { pointer in
            pointer.pointee.codec_type = AVMEDIA_TYPE_VIDEO
            pointer.pointee.codec_id =
                switch video.codec {
                case .h264: AV_CODEC_ID_H264
                case .hevc: AV_CODEC_ID_HEVC
                case .mjpeg: AV_CODEC_ID_MJPEG
                case .ffv1: AV_CODEC_ID_FFV1
                }
            pointer.pointee.width = Int32(clamping: video.size.width)
            pointer.pointee.height = Int32(clamping: video.size.height)
            return Self.fill(pointer, extraData: video.sets)
        }
    }

    /// Creates the parameters of compressed audio. Returns nil if there is no memory.
    package convenience init?(_ audio: AudioParameters) {
        self.init { pointer in
            pointer.pointee.codec_type = AVMEDIA_TYPE_AUDIO
            pointer.pointee.codec_id =
                switch audio.codec {
                case .aac: AV_CODEC_ID_AAC
                case .opus: AV_CODEC_ID_OPUS
                case .flac: AV_CODEC_ID_FLAC
                case .pcm: AV_CODEC_ID_PCM_S16LE
                }
            pointer.pointee.format = (audio.codec == .aac ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_S16).rawValue
            pointer.pointee.sample_rate = Int32(clamping: audio.sampleRate)
            pointer.pointee.ch_layout = AudioSamples.layout(audio.channelCount)
            pointer.pointee.frame_size = Int32(clamping: audio.frameSize)
            pointer.pointee.initial_padding = Int32(clamping: audio.priming)
            if audio.codec == .pcm {
                pointer.pointee.bits_per_coded_sample = 16
                pointer.pointee.block_align = Int32(clamping: audio.channelCount * 2)
            }
            return Self.fill(pointer, extraData: audio.configuration)
        }
    }

    /// The parameters of audio that Obscura can copy; nil for other codecs.
    package var audioParameters: AudioParameters? {
        let fields = pointer.pointee
        let codec: AudioCodec
        switch fields.codec_id {
        case AV_CODEC_ID_AAC: codec = .aac
        case AV_CODEC_ID_OPUS: codec = .opus
        case AV_CODEC_ID_FLAC: codec = .flac
        case AV_CODEC_ID_PCM_S16LE: codec = .pcm
        default: return nil
        }
        var parameters = AudioParameters(
            codec: codec, sampleRate: Int(sampleRate), channelCount: Int(channelCount), configuration: extraData,
            priming: Int(padding), encoder: "")
        parameters.frameSize = Int(fields.frame_size)
        return parameters
    }

    /// The codec of video that Obscura can copy; nil for other codecs.
    package var videoCodec: VideoCodec? {
        switch pointer.pointee.codec_id {
        case AV_CODEC_ID_H264: .h264
        case AV_CODEC_ID_HEVC: .hevc
        case AV_CODEC_ID_MJPEG: .mjpeg
        case AV_CODEC_ID_FFV1: .ffv1
        default: nil
        }
    }
}
