// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

extension RecordPlan {
    /// - Throws: `ValidationError`.
    init(_ command: RecordCommand, source: String) throws {
        self.source = command.source ?? source
        microphone = command.microphone
        duration = command.duration?.time
        maximumSize = command.maxSize?.count
        minimumFree = command.minFree?.count
        partDuration = command.split?.time
        preset = command.preset ?? .high
        orientation = command.picture.orientation
        isMirrored = command.picture.mirror
        effects = command.picture.effects.effects
        isQuiet = command.quiet
        trust = command.sourceTrust.trust
        if command.output.isEmpty { throw ValidationError("-o needs the name of a file.") }
        pattern = try FramePathPattern(argument: command.output)
        guard let container = MovieContainer(path: pattern.path(1)) else {
            throw ValidationError("The ending of \(command.output) does not say what to write. Give mp4, mov or mkv.")
        }
        if let maximumSize, maximumSize < MovieFileOutput.smallestFileSize {
            throw ValidationError("--max-size must be 16k at least: less has no room for a movie.")
        }
        if let duration, duration == .zero { throw ValidationError("--duration must be longer than nothing.") }
        if let partDuration, partDuration.duration < .seconds(1) {
            throw ValidationError("--split must be a second at least.")
        }
        if pattern.hasNumber, partDuration == nil {
            throw ValidationError("%d in a name is the number of a part, for --split.")
        }
        if command.bitRate != nil, command.quality != nil {
            throw ValidationError("--bit-rate and --quality are two ways to say how good it is. Give one.")
        }
        video = try Self.video(command, container)
        audio = try Self.audio(command, container)
        var options = AssetWriter.Options()
        options.overwrites = command.overwrite
        options.metadata = command.metadata.metadata
        self.options = options
    }

    private static func video(_ command: RecordCommand, _ container: MovieContainer) throws -> VideoSettings {
        guard container.takes(command.codec) else {
            throw ValidationError("\(container.rawValue) does not take \(command.codec.rawValue). Take an mkv file.")
        }
        if let quality = command.quality, !(0...1).contains(quality) {
            throw ValidationError("--quality must be 0 to 1.")
        }
        let bits = command.bitRate.map { Int($0.count) }
        if let bits, !(1000...1_000_000_000).contains(bits) {
            throw ValidationError("--bit-rate must be 1k to 1G.")
        }
        var video = VideoSettings(
            codec: command.codec, bitRate: bits, quality: command.quality, size: command.size?.size)
        video.encoders.allowsGPL = !command.noGPL
        return video
    }

    private static func audio(_ command: RecordCommand, _ container: MovieContainer) throws -> AudioSettings {
        guard container.takes(command.audioCodec) else {
            throw ValidationError(
                "\(container.rawValue) does not take \(command.audioCodec.rawValue). Take an mkv file.")
        }
        return AudioSettings(codec: command.audioCodec)
    }
}
