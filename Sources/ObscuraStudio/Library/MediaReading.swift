// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Obscura

/// What a file says of itself, read from what it holds and not from its name.
enum MediaReading {
    case still(StillInfo)
    case movie(MovieContents)

    /// More than a photo of the largest size takes.
    static let mostOfPhoto = 256 << 20
    /// What a movie may take to be looked at.
    static let movieOptions = {
        var options = MovieReadingOptions()
        options.maximumSize = PixelSize(width: 8192, height: 8192)
        // Those that are shown; see MovieContents.type.
        options.containers = ["mov", "matroska"]
        return options
    }()
    /// Where the metadata of nearly all JPEGs end.
    private static let usualHead = 512 << 10
    private static let mostOfHead = 64 << 20

    /// - Parameter kind: what the file should be; nil for either.
    /// - Throws: ``ObscuraError`` for what is none.
    init(_ file: MediaFile, as kind: MediaItem.Kind? = nil) throws(ObscuraError) {
        let head = try file.read(at: 0, count: Self.usualHead)
        if let still = StillInfo.kind(of: head) {
            guard kind != .movie else { throw .unreadable(file.name, "it is a photo, and its name is that of a movie") }
            self = .still(try Self.still(still, head, file))
        } else {
            guard kind != .photo else { throw .unreadable(file.name, "it is neither a JPEG nor a PNG") }
            self = .movie(try Self.movie(file))
        }
    }

    private static func still(
        _ kind: StillInfo.Kind, _ head: [UInt8], _ file: MediaFile
    ) throws(ObscuraError) -> StillInfo {
        // The metadata of a PNG may stand behind its picture.
        if kind == .jpeg || file.size <= Int64(head.count), let info = try? StillInfo(head) { return info }
        let more = try file.read(at: 0, count: mostOfHead)
        do throws(ObscuraError) {
            return try StillInfo(more)
        } catch {
            throw .unreadable(file.name, error.reason)
        }
    }

    private static func movie(_ file: MediaFile) throws(ObscuraError) -> MovieContents {
        do {
            let contents = try withExtendedLifetime(file) { try MovieContents.read(file.path, options: movieOptions) }
            guard contents.type != nil else {
                throw ObscuraError.unreadable(file.name, "it is no movie of a known kind")
            }
            guard contents.pictures != nil else { throw ObscuraError.unreadable(file.name, "it has no moving picture") }
            return contents
        } catch {
            throw ObscuraError(error, about: file.name)
        }
    }
}

extension ObscuraError {
    static func unreadable(_ name: String, _ reason: String) -> ObscuraError {
        ObscuraError(
            .studio, .failed, subject: name, reason: "it cannot be read: \(reason)",
            advice: "The file is damaged, or not what its name says; delete it, or copy it here again.")
    }
}

extension MovieContents {
    /// Which of the movies that the folder shows it is.
    var type: MediaFileType? {
        let names = containerName.split(separator: ",")
        if names.contains("mp4") { return .mp4 }
        return names.contains("matroska") ? .matroska : nil
    }

    /// The stream that is looked at.
    var pictures: Stream? { streams.first { $0.kind == .video } }
}
