// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

extension ExtractPlan {
    /// - Parameter source: what is read where the user names nothing.
    /// - Throws: `ValidationError`.
    init(_ command: ExtractCommand, source: String) throws {
        let source = command.source ?? source
        self.source = source
        output = command.output
        start = command.start?.time
        isRealTime = command.realtime
        trust = command.sourceTrust.trust
        overwrites = command.overwrite
        isQuiet = command.quiet
        printsStatistics = command.stats != nil
        timestampsPath = command.timestamps
        try Self.checkNumbers(command)
        let (format, pattern) = try Self.format(command)
        target = try Self.target(command, format, pattern)
        var settings = FrameExport.Settings()
        settings.image.pixelFormat = try Self.pixelFormat(command, format)
        settings.image.size = command.size?.size
        settings.image.fit = command.fit ?? .fill
        settings.image.orientation = command.picture.orientation
        settings.image.isMirrored = command.picture.mirror
        settings.image.effects = command.picture.effects.effects
        settings.frameStride = command.every ?? 1
        settings.interval = command.interval?.time
        settings.count = command.count
        settings.duration = command.duration?.time
        settings.preset = command.preset ?? .high
        self.settings = settings
    }

    private static func checkNumbers(_ command: ExtractCommand) throws {
        if let every = command.every, every < 1 { throw ValidationError("--every must be 1 or more.") }
        if let count = command.count, count < 1 { throw ValidationError("--count must be 1 or more.") }
        if let interval = command.interval, interval.time == .zero {
            throw ValidationError("--interval must be longer than nothing.")
        }
        if let duration = command.duration, duration.time == .zero {
            throw ValidationError("--duration must be longer than nothing.")
        }
        if let quality = command.quality, !(1...100).contains(quality) {
            throw ValidationError("--quality must be 1 to 100.")
        }
        if command.fit != nil, command.size == nil { throw ValidationError("--fit needs --size.") }
        if let path = command.timestamps, path.isEmpty || path == "-" {
            throw ValidationError("--timestamps needs the name of a file.")
        }
    }

    private static func format(_ command: ExtractCommand) throws -> (FrameFileFormat, FramePathPattern?) {
        if command.output.isEmpty { throw ValidationError("-o needs the name of a file, or of many: frames/%06d.jpg.") }
        let isPipe = command.output == "-"
        let pattern = isPipe ? nil : try FramePathPattern(argument: command.output)
        let ending = FrameFileFormat(pathExtension: pattern?.pathExtension ?? "")
        switch command.format {
        case .jpeg: return (.jpeg, pattern)
        case .png: return (.png, pattern)
        case .y4m: return (.y4m, pattern)
        case .raw:
            if case .raw = ending { return (ending ?? .raw(nil), pattern) }
            return (.raw(nil), pattern)
        case nil:
            if let ending { return (ending, pattern) }
            if isPipe { return (.raw(nil), pattern) }
            let known = FrameFileFormat.pathExtensions.joined(separator: ", ")
            throw ValidationError(
                "The ending of \(command.output) does not say what to write. Give one of \(known), or --format.")
        }
    }

    private static func target(
        _ command: ExtractCommand, _ format: FrameFileFormat, _ pattern: FramePathPattern?
    ) throws -> Target {
        if command.quality != nil, format != .jpeg { throw ValidationError("--quality is for JPEG.") }
        let hasNumber = pattern?.hasNumber ?? false
        switch format {
        case .jpeg, .png:
            guard let pattern else {
                throw ValidationError("Standard output takes raw and y4m. Give --format y4m, or a pattern of files.")
            }
            guard hasNumber || command.count == 1 else {
                throw ValidationError(
                    "\(command.output) is one file. Give each frame a number, as in frames/%06d.jpg, or --count 1.")
            }
            return .sequence(pattern, format == .png ? .png : .jpeg(quality: command.quality ?? defaultQuality))
        case .raw:
            guard let pattern else { return .stream(.standardOutput, isY4M: false) }
            return hasNumber ? .sequence(pattern, .raw) : .stream(.file(pattern.path(0)), isY4M: false)
        case .y4m:
            guard let pattern else { return .stream(.standardOutput, isY4M: true) }
            guard !hasNumber else {
                throw ValidationError("A y4m file holds all frames. Give it a name without a number.")
            }
            return .stream(.file(pattern.path(0)), isY4M: true)
        }
    }

    private static func pixelFormat(_ command: ExtractCommand, _ format: FrameFileFormat) throws -> PixelFormat? {
        let asked = command.pixelFormat?.pixelFormat
        switch format {
        case .raw(let named?):
            if let asked, asked != named {
                throw ValidationError("\(command.output) is for \(named.rawValue), and --pixel-format says otherwise.")
            }
            return named
        case .y4m:
            if let asked, Y4MHeader.nearestFormat(to: asked) != asked {
                throw ValidationError("y4m holds i420 or gray8, not \(asked.rawValue).")
            }
            return asked
        case .raw, .jpeg, .png: return asked
        }
    }
}
