// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The types of files in a library, determined by their extensions.
package enum MediaFileType: Sendable, Hashable {
    case jpeg, png, mp4, quickTime, matroska, webM

    /// - Parameter ending: the file extension without the dot, in any case.
    package init?(ending: some StringProtocol) {
        switch ending.lowercased() {
        case "jpg", "jpeg": self = .jpeg
        case "png": self = .png
        case "mp4", "m4v": self = .mp4
        case "mov": self = .quickTime
        case "mkv": self = .matroska
        case "webm": self = .webM
        default: return nil
        }
    }

    package var kind: LibraryItem.Kind {
        switch self {
        case .jpeg, .png: .photo
        case .mp4, .quickTime, .matroska, .webM: .movie
        }
    }

    /// The usual type among those of the same form.
    package var family: MediaFileType {
        switch self {
        case .jpeg, .png: self
        case .mp4, .quickTime: .mp4
        case .matroska, .webM: .matroska
        }
    }

    /// The HTTP content type.
    package var contentType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .mp4: "video/mp4"
        case .quickTime: "video/quicktime"
        case .matroska: "video/x-matroska"
        case .webM: "video/webm"
        }
    }

    /// The extension of new files.
    package var ending: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .mp4: "mp4"
        case .quickTime: "mov"
        case .matroska: "mkv"
        case .webM: "webm"
        }
    }
}
