// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraWeb

/// The number of photos to take, and their settings. Properties that are absent have the values of ``PhotoSettings``.
struct PhotosRequest: RequestObject, Codable, Equatable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case count, format, quality, size, flash, title, description, author, copyright, keywords, location
    }

    enum Size: String, Codable {
        /// The size of the camera's current mode.
        case stream
        /// The largest size of the camera.
        case largest
    }

    var count: Int?
    var format: StillInfo.Kind?
    /// The quality of a JPEG, from 1 to 100.
    var quality: Int?
    var size: Size?
    var flash: PhotoSettings.Flash?
    var title: String?
    var description: String?
    var author: String?
    var copyright: String?
    var keywords: [String]?
    var location: GeographicLocation?

    /// - Throws: ``ObscuraError/Code/invalidRequest``.
    var settings: PhotoSettings {
        get throws(ObscuraError) {
            var settings = PhotoSettings()
            if let quality {
                guard format != .png, (1...100).contains(quality) else {
                    throw ObscuraError(
                        .studio, .invalidRequest, subject: "quality",
                        reason: format == .png
                            ? "a PNG has no quality setting, because it is lossless"
                            : "it must be 1 to 100, not \(quality)")
                }
            }
            settings.format = format == .png ? .png() : .jpeg(quality: quality)
            settings.size = size == .largest ? .largest : .stream
            settings.flash = flash ?? settings.flash
            settings.metadata.title = title
            settings.metadata.description = description
            settings.metadata.author = author
            settings.metadata.copyright = copyright
            settings.metadata.keywords = keywords ?? []
            settings.metadata.location = location
            return settings
        }
    }
}
