// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension CMFormatDescription {
    /// The format of the samples of a track in a file. The subtype is 0 for a codec without a code.
    convenience init(_ stream: MovieContents.Stream) {
        guard stream.kind == .audio else {
            let codec = Self.videoCodecs[stream.codecName] ?? 0
            self.init(video: codec, size: stream.size ?? PixelSize(width: 0, height: 0))
            return
        }
        if let format = Self.uncompressed(stream) {
            self.init(audio: format)
            return
        }
        var description = AudioStreamBasicDescription()
        (description.mFormatID, description.mFramesPerPacket) = Self.audioCodecs[stream.codecName] ?? (0, 0)
        description.mSampleRate = Float64(stream.sampleRate ?? 0)
        description.mChannelsPerFrame = UInt32(clamping: stream.channelCount ?? 0)
        self.init(audio: description)
    }

    private static let videoCodecs: [String: FourCharCode] = [
        "h264": kCMVideoCodecType_H264, "hevc": kCMVideoCodecType_HEVC, "mjpeg": kCMVideoCodecType_JPEG,
        "mpeg4": kCMVideoCodecType_MPEG4Video, "vp9": kCMVideoCodecType_VP9, "av1": kCMVideoCodecType_AV1,
        "prores": kCMVideoCodecType_AppleProRes422,
    ]

    /// The codes, and the number of sample frames in a packet; 0 if it varies.
    private static let audioCodecs: [String: (AudioFormatID, UInt32)] = [
        "aac": (kAudioFormatMPEG4AAC, 1024), "flac": (kAudioFormatFLAC, 0), "opus": (kAudioFormatOpus, 0),
        "alac": (kAudioFormatAppleLossless, 4096), "ac3": (kAudioFormatAC3, 1536),
        "mp3": (kAudioFormatMPEGLayer3, 1152), "pcm_mulaw": (kAudioFormatULaw, 1), "pcm_alaw": (kAudioFormatALaw, 1),
    ]

    /// The format of uncompressed samples that the engine writes; nil for others.
    private static func uncompressed(_ stream: MovieContents.Stream) -> AudioFormat? {
        let types: [String: AudioFormat.SampleType] = [
            "pcm_s16le": .int16, "pcm_s32le": .int32, "pcm_f32le": .float32,
        ]
        guard let type = types[stream.codecName], let rate = stream.sampleRate, let channels = stream.channelCount
        else {
            return nil
        }
        return AudioFormat(sampleType: type, sampleRate: rate, channelCount: channels)
    }
}
