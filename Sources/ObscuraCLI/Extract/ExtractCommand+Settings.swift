// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

extension ExtractCommand {
    /// JPEG quality of frames: by PSNR over a real movie, slightly closer to the original than ffmpeg's `-q:v 3`.
    static let defaultQuality = 85

    /// The settings of the export.
    ///
    /// - Throws: `ValidationError`.
    func settings() throws -> FrameExport.Settings {
        var settings = FrameExport.Settings()
        settings.image.pixelFormat = try pixelFormat(for: fileFormat())
        settings.image.size = video.frameSize
        settings.image.fit = fitting.fit ?? .fill
        settings.image.orientation = video.picture.orientation
        settings.image.isMirrored = video.picture.isMirrored
        settings.image.effects = video.picture.effects
        settings.frameStride = every
        settings.interval = interval?.time
        settings.count = limits.count
        settings.duration = limits.duration.time
        settings.preset = video.presetOrDefault
        settings.startsWhenAvailable = source.wait
        return settings
    }

    /// - Throws: `ValidationError`.
    func target() throws -> FrameTarget {
        let format = try fileFormat()
        try jpeg.check(isJPEG: format == .jpeg)
        let pattern = try pattern()
        let hasNumber = pattern?.hasNumber ?? false
        switch format {
        case .jpeg, .png:
            guard let pattern else {
                throw ValidationError(
                    "Standard output accepts only raw and y4m. Give --format y4m, or write files: -o frames/%06d.jpg.")
            }
            guard hasNumber || limits.count == 1 else { throw FramePathPattern.holdsOneFrame(output) }
            return .sequence(pattern, format == .png ? .png : .jpeg(quality: jpeg.quality ?? Self.defaultQuality))
        case .raw:
            guard let pattern else { return .stream(.standardOutput, isY4M: false) }
            return hasNumber ? .sequence(pattern, .raw) : .stream(.file(pattern.path(0)), isY4M: false)
        case .y4m:
            guard let pattern else { return .stream(.standardOutput, isY4M: true) }
            guard !hasNumber else {
                throw ValidationError("A y4m file holds all frames. Give it a name without a number such as %06d.")
            }
            return .stream(.file(pattern.path(0)), isY4M: true)
        }
    }

    /// Returns the pattern of the files; nil for standard output.
    private func pattern() throws -> FramePathPattern? {
        output == "-" ? nil : try FramePathPattern(argument: output)
    }

    private func fileFormat() throws -> FrameFileFormat {
        let pattern = try pattern()
        let named = FrameFileFormat(pathExtension: pattern?.pathExtension ?? "")
        switch format {
        case .jpeg: return .jpeg
        case .png: return .png
        case .y4m: return .y4m
        case .raw:
            if case .raw? = named { return named ?? .raw(nil) }
            return .raw(nil)
        case nil:
            if let named { return named }
            if pattern == nil { return .raw(nil) }
            let known = FrameFileFormat.pathExtensions.joined(separator: ", ")
            throw ValidationError("Unknown file extension in \(output). Use one of \(known), or give --format.")
        }
    }

    private func pixelFormat(for format: FrameFileFormat) throws -> PixelFormat? {
        let requested = pixelFormat?.pixelFormat
        switch format {
        case .raw(let named?):
            if let requested, requested != named {
                throw ValidationError(
                    "The extension of \(output) means \(named.rawValue), but --pixel-format is \(requested.rawValue).")
            }
            return named
        case .y4m:
            if let requested, Y4MHeader.nearestFormat(to: requested) != requested {
                throw ValidationError(
                    "Frames in a y4m file cannot be converted to \(requested.rawValue). Use i420 or gray8.")
            }
            return requested
        case .raw, .jpeg, .png: return requested
        }
    }
}
