// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// The properties of a stream by its container, before decoding.
extension InputStream {
    /// The codec's short name, such as `h264`.
    package var codecName: String {
        libav.avcodec_get_name(parameters.pointee.codec_id).map { String(cString: $0) } ?? ""
    }

    /// Whether FFmpeg has a decoder for it.
    package var isDecodable: Bool { libav.avcodec_find_decoder(parameters.pointee.codec_id) != nil }

    /// The name of the profile, such as `High`; nil if the codec has none.
    package var profileName: String? {
        libav.avcodec_profile_name(parameters.pointee.codec_id, parameters.pointee.profile).map { String(cString: $0) }
    }

    /// The bit rate in bits per second; nil if the container does not declare it.
    package var bitRate: Int64? { parameters.pointee.bit_rate > 0 ? parameters.pointee.bit_rate : nil }

    /// The number of packets; nil if the container does not declare it.
    package var packetCount: Int64? { pointer.pointee.nb_frames > 0 ? pointer.pointee.nb_frames : nil }

    package var tags: [String: String] { InputContext.entries(pointer.pointee.metadata) }

    /// The name of the track; nil if it has none of its own.
    package var title: String? {
        let tags = tags
        return tags["title"] ?? tags["handler_name"].flatMap { Self.usualHandlers.contains($0) ? nil : $0 }
    }

    /// The names that muxers give to each track of a kind.
    private static let usualHandlers: Set<String> = [
        "VideoHandler", "SoundHandler", "SubtitleHandler", "DataHandler", "GoPro MET", "GoPro MET ",
    ]

    /// The language, as three letters of ISO 639-2; nil if it is not specified.
    package var language: String? { tags["language"].flatMap { $0 == "und" ? nil : $0 } }

    /// Whether players select it by themselves.
    package var isDefault: Bool { pointer.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 }

    /// Whether it holds the chapters of a recording.
    package var holdsChapters: Bool { kind == .subtitle && title == TimedForm.chaptersName }

    /// FFmpeg's name of the sample format of video or audio, such as `yuv420p` or `fltp`.
    package var sampleFormatName: String? {
        switch kind {
        case .video: libav.av_get_pix_fmt_name(pixelFormat).map { String(cString: $0) }
        case .audio: libav.av_get_sample_fmt_name(AVSampleFormat(parameters.pointee.format)).map { String(cString: $0) }
        case .subtitle, .data, .unknown: nil
        }
    }

    // MARK: Video

    /// The pixel format that is nearest to that of the video.
    package var nearestPixelFormat: PixelFormat { FramePixels.nearest(pixelFormat) ?? .i420 }

    /// The number of frames by which a frame may be decoded earlier than it is shown.
    package var reorderDepth: Int { Int(parameters.pointee.video_delay) }

    package var colorSpace: ColorSpace { colors.colorSpace(for: nearestPixelFormat) }

    package var isJPEG: Bool {
        let codec = parameters.pointee.codec_id
        return codec == AV_CODEC_ID_MJPEG || codec == AV_CODEC_ID_MJPEGB || codec == AV_CODEC_ID_LJPEG
    }

    var colors: FrameColors {
        let fields = parameters.pointee
        return FrameColors(
            matrix: fields.color_space, range: fields.color_range, primaries: fields.color_primaries,
            transfer: fields.color_trc, pixelFormat: pixelFormat, isJPEG: isJPEG)
    }

    // MARK: Audio

    /// The sample rate, in hertz.
    package var sampleRate: Int { Int(parameters.pointee.sample_rate) }
    /// Whether it is AAC of the profile LC, whose rate is that of its packets.
    package var isLowComplexityAAC: Bool { parameters.pointee.profile == FF_PROFILE_AAC_LOW }
    package var channelCount: Int { Int(parameters.pointee.ch_layout.nb_channels) }

    /// The audio format of the decoder; nil for audio that cannot be decoded here.
    package var soundFormat: AudioFormat? {
        guard libav.avcodec_find_decoder(parameters.pointee.codec_id) != nil else { return nil }
        // If neither the container nor a first packet specifies the format, it is usually float.
        let known = AVSampleFormat(rawValue: parameters.pointee.format)
        return AudioSamples.format(
            known == AV_SAMPLE_FMT_NONE ? AV_SAMPLE_FMT_FLTP : known, rate: sampleRate, channels: channelCount)
    }
}

extension CodecParameters {
    /// Creates the parameters of an input stream. Returns nil if there is no memory.
    package convenience init?(of stream: InputStream) {
        self.init { libav.avcodec_parameters_copy($0, stream.parameters) }
    }
}
