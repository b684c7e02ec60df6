// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// What a container says of a stream, before anything is decoded.
extension InputStream {
    /// The codec's short name, such as `h264`.
    package var codecName: String { String(cString: avcodec_get_name(parameters.pointee.codec_id)) }

    /// Such as `High`; nil where the codec has none.
    package var profileName: String? {
        avcodec_profile_name(parameters.pointee.codec_id, parameters.pointee.profile).map { String(cString: $0) }
    }

    /// Bits a second; nil where the container does not say.
    package var bitRate: Int64? { parameters.pointee.bit_rate > 0 ? parameters.pointee.bit_rate : nil }

    /// How many packets it has; nil where the container does not say.
    package var packetCount: Int64? { pointer.pointee.nb_frames > 0 ? pointer.pointee.nb_frames : nil }

    package var tags: [String: String] { InputContext.entries(pointer.pointee.metadata) }

    /// The samples of pictures or sound, by FFmpeg's name, such as `yuv420p` or `fltp`.
    package var sampleFormatName: String? {
        switch kind {
        case .video: av_get_pix_fmt_name(pixelFormat).map { String(cString: $0) }
        case .audio: av_get_sample_fmt_name(AVSampleFormat(parameters.pointee.format)).map { String(cString: $0) }
        case .subtitle, .data, .unknown: nil
        }
    }

    // MARK: Pictures

    /// The format that is nearest to that of its pictures.
    package var nearestPixelFormat: PixelFormat { FramePixels.nearest(pixelFormat) ?? .i420 }

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

    // MARK: Sound

    /// In hertz.
    package var sampleRate: Int { Int(parameters.pointee.sample_rate) }
    package var channelCount: Int { Int(parameters.pointee.ch_layout.nb_channels) }

    /// What its decoder gives; nil for sound that cannot be decoded here.
    package var soundFormat: AudioFormat? {
        guard avcodec_find_decoder(parameters.pointee.codec_id) != nil else { return nil }
        // What the container does not tell, and no first packet has told, most decoders give as floats.
        let known = AVSampleFormat(rawValue: parameters.pointee.format)
        return AudioSamples.format(
            known == AV_SAMPLE_FMT_NONE ? AV_SAMPLE_FMT_FLTP : known, rate: sampleRate, channels: channelCount)
    }
}

extension CodecParameters {
    /// Those of a stream that is read. Nil when there is no memory.
    package convenience init?(of stream: InputStream) {
        self.init { avcodec_parameters_copy($0, stream.parameters) }
    }
}
