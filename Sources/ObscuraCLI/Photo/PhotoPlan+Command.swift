// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

extension PhotoPlan {
    /// - Throws: `ValidationError`.
    init(_ command: PhotoCommand) throws {
        let count = command.burst ?? 1
        guard (1...100_000).contains(count) else { throw ValidationError("--burst must be 1 to 100000.") }
        if command.interval != nil, command.burst == nil { throw ValidationError("--interval is for --burst.") }
        interval = command.interval?.time.duration ?? .milliseconds(200)
        delay = command.delay?.time.duration
        overwrites = command.overwrite
        isQuiet = command.quiet
        paths = try Self.paths(command.output, count)
        settings = try Self.settings(command)
    }

    private static func paths(_ output: String, _ count: Int) throws -> [String] {
        if output.isEmpty { throw ValidationError("-o needs the name of a file.") }
        let pattern = try FramePathPattern(argument: output)
        guard FrameFileFormat(pathExtension: pattern.pathExtension) == .jpeg || pattern.pathExtension == "png" else {
            throw ValidationError("The ending of \(output) does not say what to write. Give jpg, jpeg or png.")
        }
        if pattern.hasNumber { return (1...count).map(pattern.path) }
        let path = pattern.path(0)
        guard count > 1, let point = path.lastIndex(of: ".") else { return [path] }
        return (1...count).map { "\(path[..<point])-\($0)\(path[point...])" }
    }

    private static func settings(_ command: PhotoCommand) throws -> PhotoSettings {
        var settings = PhotoSettings()
        if command.output.lowercased().hasSuffix(".png") {
            guard command.quality == nil else { throw ValidationError("--quality is for JPEG.") }
            settings.format = .png()
        } else {
            let quality = command.quality ?? 90
            guard (1...100).contains(quality) else { throw ValidationError("--quality must be 1 to 100.") }
            settings.format = .jpeg(quality: quality)
        }
        if let size = command.size { settings.size = size.size }
        if let fit = command.fit {
            guard case .pixels = settings.size else { throw ValidationError("--fit needs --size in pixels.") }
            settings.fit = fit
        }
        settings.orientation = command.picture.orientation
        settings.isMirrored = command.picture.mirror
        settings.effects = command.picture.effects.effects
        settings.orientationPlacement = command.exifOrientation ? .exif : .pixels
        settings.flash = command.flash
        settings.metadata = command.metadata.metadata
        return settings
    }
}
