// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// A photo or a movie in a library.
public struct LibraryItem: Sendable, Hashable, Codable, Identifiable {
    /// The kind of an item, by its file extension.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A JPEG or PNG file.
        case photo
        /// An MP4, QuickTime, Matroska or WebM file.
        case movie
    }

    /// The path of the file, relative to the folder of the library, such as `2026/11/photo.jpg`.
    public internal(set) var path: String
    /// The same as ``path``.
    public var id: String { path }
    /// The name of the file.
    public var name: String { PathParts(path).name }
    /// The kind, by the file extension.
    public internal(set) var kind: Kind
    /// The size of the file, in bytes.
    public internal(set) var fileSize: Int64
    /// The date of capture, or the modification date of the file if the file has no date of capture.
    public internal(set) var date: WallTime
    /// The size as displayed, upright and with the edits, in pixels; nil if the file cannot be read.
    public internal(set) var size: PixelSize?
    /// The duration of a movie, in seconds.
    public internal(set) var duration: Double?
    /// The location of capture.
    public internal(set) var location: GeographicLocation?
    /// The manufacturer and the model of the camera, such as `Canon EOS R5`.
    public internal(set) var camera: String?
    /// The title, from the file.
    public internal(set) var title: String?
    /// The description, from the file.
    public internal(set) var description: String?
    /// The keywords of the file, followed by those that were added in the library.
    public internal(set) var keywords: [String]
    /// Whether the item is marked as a favorite.
    public internal(set) var isFavorite: Bool
    /// Whether the photo has edits; see ``MediaLibrary/recipe(of:)``.
    public internal(set) var isEdited: Bool
    /// Whether the file can be read. Damaged files are items as well, so that they can be found and deleted.
    public internal(set) var isReadable: Bool
}
