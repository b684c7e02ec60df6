// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The recording that the user asked for, checked as a whole before anything is touched.
struct RecordPlan {
    let source: String
    /// The microphone; nil leaves it to the kind of source.
    let microphone: String?
    let video: VideoSettings
    let audio: AudioSettings
    let options: AssetWriter.Options
    let duration: MediaTime?
    let maximumSize: Int64?
    /// How many bytes of the disk stay free; nil for what the library leaves.
    let minimumFree: Int64?
    /// How long a part is; nil for a movie in one piece.
    let partDuration: MediaTime?
    let preset: CaptureSession.Preset
    let orientation: Orientation
    let effects: [VideoEffect]
    let isMirrored: Bool
    let trust: ServerTrust
    let isQuiet: Bool
    private let pattern: FramePathPattern

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

    /// What is recorded otherwise than it was asked for; nil for nothing.
    var note: String? {
        guard video.codec == .h264 || video.codec == .hevc, let size = video.size, size.width % 2 + size.height % 2 > 0
        else { return nil }
        let even = PixelSize(width: size.width & ~1, height: size.height & ~1)
        return
            "\(size) becomes \(even): \(video.codec.rawValue) takes only even sides, since its colours have half the size."
    }

    /// The name of a part, the first of which is 1.
    func path(_ part: Int) -> String {
        guard partDuration != nil, !pattern.hasNumber else { return pattern.path(part) }
        let path = pattern.path(0)
        guard let point = path.lastIndex(of: ".") else { return path }
        return "\(path[..<point])-\(part)\(path[point...])"
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
