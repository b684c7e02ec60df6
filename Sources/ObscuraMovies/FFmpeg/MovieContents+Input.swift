// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import ObscuraMedia

extension MovieContents {
    init(_ input: InputContext) {
        let tags = input.tags
        self.init(
            location: input.location.description, containerName: input.formatName, duration: input.duration,
            bitRate: input.bitRate, byteCount: input.fileSize,
            encoder: tags.container.first { $0.key.lowercased() == "encoder" }?.value, metadata: tags.metadata,
            streams: input.streams.map { Stream($0, input) })
    }
}

extension MovieContents.Stream {
    fileprivate init(_ stream: InputStream, _ input: InputContext) {
        let fields = stream.parameters.pointee
        let isVideo = stream.kind == AVMEDIA_TYPE_VIDEO
        let isAudio = stream.kind == AVMEDIA_TYPE_AUDIO
        let language = InputContext.entries(stream.pointer.pointee.metadata)["language"]
        self.init(
            kind: Self.kind(stream.kind), codecName: String(cString: avcodec_get_name(fields.codec_id)),
            profile: avcodec_profile_name(fields.codec_id, fields.profile).map { String(cString: $0) },
            duration: stream.duration, startTime: stream.startTime,
            bitRate: fields.bit_rate > 0 ? fields.bit_rate : nil,
            frameCount: stream.pointer.pointee.nb_frames > 0 ? stream.pointer.pointee.nb_frames : nil,
            language: language == "und" ? nil : language,
            size: isVideo ? PixelSize(width: stream.width, height: stream.height) : nil,
            frameRate: isVideo ? input.frameRate(stream) : nil,
            sampleFormat: isVideo
                ? av_get_pix_fmt_name(stream.pixelFormat).map { String(cString: $0) }
                : isAudio ? av_get_sample_fmt_name(AVSampleFormat(fields.format)).map { String(cString: $0) } : nil,
            colorSpace: isVideo
                ? FrameColors(stream).colorSpace(for: FramePixels.nearest(stream.pixelFormat) ?? .i420) : nil,
            uprightTurn: stream.displayTransform?.turn ?? .up,
            sampleRate: isAudio ? Int(fields.sample_rate) : nil,
            channelCount: isAudio ? Int(fields.ch_layout.nb_channels) : nil)
    }

    private static func kind(_ kind: AVMediaType) -> Kind {
        switch kind {
        case AVMEDIA_TYPE_VIDEO: .video
        case AVMEDIA_TYPE_AUDIO: .audio
        case AVMEDIA_TYPE_SUBTITLE: .subtitle
        case AVMEDIA_TYPE_DATA, AVMEDIA_TYPE_ATTACHMENT: .data
        default: .unknown
        }
    }
}
