// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

extension MovieContents {
    init(_ input: InputContext) {
        let tags = MovieTags(input)
        self.init(
            location: input.subject, containerName: input.formatName, duration: input.duration,
            bitRate: input.bitRate, byteCount: input.fileSize,
            encoder: tags.container.first { $0.key.lowercased() == "encoder" }?.value, metadata: tags.metadata,
            streams: input.streams.map { Stream($0, input) },
            chapters: input.chapters.map { Chapter(start: $0.start, end: $0.end, title: $0.title) })
    }
}

extension MovieContents.Stream {
    fileprivate init(_ stream: InputStream, _ input: InputContext) {
        let isVideo = stream.kind == .video
        let isAudio = stream.kind == .audio
        self.init(
            kind: Kind(stream.kind), codecName: stream.codecName, profile: stream.profileName,
            duration: stream.duration, startTime: stream.startTime, bitRate: stream.bitRate,
            frameCount: stream.packetCount, language: stream.language, title: stream.title,
            isDefault: stream.isDefault, size: isVideo ? PixelSize(width: stream.width, height: stream.height) : nil,
            frameRate: isVideo ? input.frameRate(stream) : nil, sampleFormat: stream.sampleFormatName,
            colorSpace: isVideo ? stream.colorSpace : nil, uprightTurn: stream.displayTransform?.turn ?? .up,
            sampleRate: isAudio ? stream.sampleRate : nil, channelCount: isAudio ? stream.channelCount : nil,
            isMirrored: stream.displayTransform?.isMirrored ?? false, isCover: stream.isCover,
            isDecodable: stream.isDecodable, timescale: stream.timescale)
    }
}

extension MovieContents.Stream.Kind {
    fileprivate init(_ kind: InputStream.Kind) {
        self =
            switch kind {
            case .video: .video
            case .audio: .audio
            case .subtitle: .subtitle
            case .data: .data
            case .unknown: .unknown
            }
    }
}

extension MovieTags {
    /// Reads the metadata of the file, with the language of its first audio stream or, without one, its first stream.
    init(_ input: InputContext) {
        let streams = input.streams
        let speaking = streams.first { $0.kind == .audio } ?? streams.first
        self.init(container: input.tags, stream: speaking?.tags ?? [:])
    }
}
