// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraLibrary

/// A photo or a movie of the library, as it was when it was fetched.
public class PHAsset: PHObject, @unchecked Sendable {  // All properties are constants.
    /// The properties; nil for an asset that was deleted after the fetch.
    let item: LibraryItem?

    init(path: String, item: LibraryItem?, in store: PhotoStore) {
        self.item = item
        super.init(path, in: store)
    }

    /// The kind: a photo or a movie.
    public var mediaType: PHAssetMediaType { PHAssetMediaType(ofFile: localIdentifier) }
    /// The width of the upright image with its edits, in pixels; 0 if it is unknown.
    public var pixelWidth: Int { item?.size?.width ?? 0 }
    /// The height of the upright image with its edits, in pixels; 0 if it is unknown.
    public var pixelHeight: Int { item?.size?.height ?? 0 }
    /// The date of capture or, if the file does not contain one, of the last modification.
    public var creationDate: Date? { (item?.date).map(Date.init) }
    /// The date of the last modification of the file, read from the disk; nil if the file was deleted.
    public var modificationDate: Date? {
        try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
    }
    /// The duration of a movie, in seconds; 0 for a photo.
    public var duration: TimeInterval { item?.duration ?? 0 }
    /// Whether the user has marked the asset as a favorite.
    public var isFavorite: Bool { item?.isFavorite ?? false }
    /// Whether the photo has edits.
    public var hasAdjustments: Bool { item?.isEdited ?? false }

    /// The path of the file.
    var file: String { "\(store.path)/\(localIdentifier)" }
}

extension PHAssetMediaType {
    init(ofFile path: String) {
        self =
            switch MediaFileType(ending: (path as NSString).pathExtension)?.kind {
            case .photo: .image
            case .movie: .video
            case nil: .unknown
            }
    }

    /// The kind of the library's items; nil if it has none of the kind.
    var kind: LibraryItem.Kind? {
        switch self {
        case .image: .photo
        case .video: .movie
        case .audio, .unknown: nil
        }
    }
}

extension Date {
    fileprivate init(_ time: WallTime) {
        self.init(timeIntervalSince1970: Double(time.nanosecondsSince1970) / 1e9)
    }
}
