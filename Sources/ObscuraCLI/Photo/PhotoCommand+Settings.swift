// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

extension PhotoCommand {
    /// Returns the paths of the photos, in order.
    ///
    /// - Throws: `ValidationError`.
    func paths() throws -> [String] {
        let pattern = try FramePathPattern(argument: output)
        guard FrameFileFormat(pathExtension: pattern.pathExtension) == .jpeg || pattern.pathExtension == "png" else {
            throw ValidationError("Unknown file extension in \(output). Use jpg, jpeg or png.")
        }
        let count = burst ?? 1
        guard (1...100_000).contains(count) else { throw ValidationError("--burst must be 1 to 100000.") }
        return count == 1 ? [pattern.path(1)] : (1...count).map(pattern.numberedPath)
    }

    /// - Throws: `ValidationError`.
    func settings() throws -> PhotoSettings {
        var settings = PhotoSettings()
        let isPNG = output.lowercased().hasSuffix(".png")
        try jpeg.check(isJPEG: !isPNG)
        settings.format = isPNG ? .png() : .jpeg(quality: jpeg.quality)
        if let size { settings.size = size.size }
        if let fit = fitting.fit {
            guard case .pixels = settings.size else { throw ValidationError("--fit needs --size in pixels.") }
            settings.fit = fit
        }
        settings.orientation = picture.orientation
        settings.isMirrored = picture.isMirrored
        settings.effects = picture.effects
        settings.orientationPlacement = exifOrientation ? .exif : .pixels
        settings.flash = flash
        settings.metadata = metadata.metadata
        settings.fillsMetadata = metadata.fills
        return settings
    }
}
