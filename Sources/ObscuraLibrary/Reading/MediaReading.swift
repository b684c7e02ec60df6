// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraImaging
package import ObscuraMedia
package import ObscuraMovies

/// The properties of a photo or movie, read from its content and not derived from its name.
package enum MediaReading {
    case still(StillInfo)
    case movie(MovieContents)

    /// Maximum size of a photo, in bytes; no photo of the largest permitted dimensions reaches it.
    package static let mostOfPhoto = 256 << 20
    /// Limits for opening a movie.
    package static let movieOptions = {
        var options = MovieReadingOptions()
        options.maximumSize = PixelSize(width: 8192, height: 8192)
        // The containers of the displayed types; see MovieContents.type.
        options.containers = ["mov", "matroska"]
        return options
    }()
    /// Number of bytes that contain the metadata of nearly all JPEG files.
    private static let usualHead = 512 << 10
    private static let mostOfHead = 64 << 20

    /// - Parameter kind: the expected kind; nil for any.
    /// - Throws: ``ObscuraError`` if the file is not of that kind.
    package init(_ file: MediaFile, as kind: LibraryItem.Kind? = nil) throws(ObscuraError) {
        let head = try file.read(at: 0, count: Self.usualHead)
        if let still = StillInfo.kind(of: head) {
            guard kind != .movie else { throw .unreadable(file.name, "it is a photo with the extension of a movie") }
            self = .still(try Self.still(still, head, file))
        } else {
            guard kind != .photo else { throw .unreadable(file.name, "it is neither a JPEG nor a PNG") }
            self = .movie(try Self.movie(file))
        }
    }

    private static func still(
        _ kind: StillInfo.Kind, _ head: [UInt8], _ file: MediaFile
    ) throws(ObscuraError) -> StillInfo {
        // A PNG may have its metadata after the image data.
        if kind == .jpeg || file.size <= Int64(head.count), let info = try? StillInfo(head) { return info }
        let more = try file.read(at: 0, count: mostOfHead)
        do throws(ObscuraError) {
            return try StillInfo(more)
        } catch {
            throw .unreadable(file.name, error.reason)
        }
    }

    private static func movie(_ file: MediaFile) throws(ObscuraError) -> MovieContents {
        do throws(ObscuraError) {
            let contents = try withExtendedLifetime(file) { () throws(ObscuraError) in
                try MovieContents.read(file.path, options: movieOptions)
            }
            guard contents.type != nil else {
                throw ObscuraError.unreadable(file.name, "it is not a movie in a supported format")
            }
            guard contents.pictures != nil else { throw ObscuraError.unreadable(file.name, "it has no video") }
            return contents
        } catch {
            throw error.about(file.name)
        }
    }
}

extension ObscuraError {
    package static func unreadable(_ name: String, _ reason: String) -> ObscuraError {
        ObscuraError(
            .library, .unreadable, subject: name, reason: "it cannot be read: \(reason)",
            advice: "If its extension is wrong, rename the file. If the file is damaged, replace or delete it.")
    }
}

extension MovieContents {
    /// The type of the movie, among those of a library.
    package var type: MediaFileType? {
        let names = containerName.split(separator: ",")
        if names.contains("mp4") { return .mp4 }
        return names.contains("matroska") ? .matroska : nil
    }

    /// The video stream to display.
    package var pictures: Stream? { streams.first { $0.kind == .video } }
}
