// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

extension RecordCommand {
    /// Returns the path of the movie; with --split, the pattern of the parts.
    ///
    /// - Throws: `ValidationError`.
    func pattern() throws -> FramePathPattern {
        let pattern = try FramePathPattern(argument: output)
        if pattern.hasNumber, split == nil {
            throw ValidationError("%d in the file name stands for the part number, and needs --split.")
        }
        return pattern
    }

    /// - Throws: `ValidationError`.
    func videoSettings() throws -> VideoSettings {
        let container = try container()
        let codec = codec ?? .h264
        guard container.takes(codec) else {
            throw ValidationError("\(container.rawValue) cannot hold \(codec.rawValue). Use an mkv file.")
        }
        let bitRate = try encoder.bitRate(minimum: 1000)
        if let quality {
            guard (0...1).contains(quality) else { throw ValidationError("--quality must be 0 to 1.") }
            guard bitRate == nil else { throw ValidationError("--bitrate cannot be combined with --quality.") }
        }
        var settings = VideoSettings(codec: codec, bitRate: bitRate, quality: quality, size: video.frameSize)
        settings.encoders.allowsGPL = encoder.allowsGPL
        return settings
    }

    /// - Throws: `ValidationError`.
    func audioSettings() throws -> AudioSettings {
        let container = try container()
        guard container.takes(audioCodec) else {
            throw ValidationError("\(container.rawValue) cannot hold \(audioCodec.rawValue). Use an mkv file.")
        }
        return AudioSettings(codec: audioCodec)
    }

    var writerOptions: AssetWriter.Options {
        var options = AssetWriter.Options()
        options.overwrites = overwriting.overwrite
        options.metadata = metadata.metadata
        options.fillsMetadata = metadata.fills
        options.copiesVideo = encoder.copy
        return options
    }

    private func container() throws -> MovieContainer {
        guard let container = MovieContainer(path: try pattern().path(1)) else {
            throw ValidationError("Unknown file extension in \(output). Use mp4, mov or mkv.")
        }
        return container
    }
}

extension VideoSettings {
    /// A note on the difference between the requested and the recorded size; nil if there is none.
    var sizeNote: String? {
        guard codec == .h264 || codec == .hevc, let size, size.width % 2 + size.height % 2 > 0 else { return nil }
        let even = PixelSize(width: size.width & ~1, height: size.height & ~1)
        return "\(size) becomes \(even): \(codec.rawValue) needs an even width and height."
    }
}
