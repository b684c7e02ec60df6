// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraBase
internal import ObscuraFFmpeg
internal import ObscuraImaging
package import ObscuraMedia

/// Thumbnails in the form of the freedesktop.org specification (version 0.9), which file managers share: a PNG for each
/// file, named by the MD5 digest of its URI, with the URI and the modification date of the file.
///
/// Photos with edits look different in the library. Their thumbnails are in a folder of the library, in the same form.
package struct ThumbnailCache: Sendable {
    /// No thumbnail reaches it, in bytes.
    private static let mostBytes = 8 << 20

    /// The folder of shared thumbnails.
    private let shared: String
    /// The folder of thumbnails of edited photos.
    private let own: String

    init(shared: String, own: String) {
        (self.shared, self.own) = (shared, own)
    }

    /// The cache of the user; nil if the user's cache folder is unknown, or if FFmpeg, which hashes the names, is missing.
    package static var ofUser: ThumbnailCache? {
        guard (try? FFmpegLibrary.load()) != nil else { return nil }
        return UserFolders.cache.map { ThumbnailCache(in: $0) }
    }

    /// The usual places in a cache folder.
    package init(in folder: String) {
        self.init(shared: "\(folder)/thumbnails", own: "\(folder)/\(UserFolders.indexes)/thumbnails")
    }

    /// A thumbnail to find or to create.
    package struct Key: Sendable, Hashable {
        /// The absolute path of the file.
        let path: String
        /// The state of the file.
        package let status: FileStatus
        /// The state of the edits; nil without edits.
        let edits: String?
        package let size: ThumbnailSize

        package init(path: String, status: FileStatus, edits: String?, size: ThumbnailSize) {
            (self.path, self.status, self.edits, self.size) = (path, status, edits, size)
        }

        /// The modification date, in seconds since 1970.
        fileprivate var modified: String { "\(status.modified / 1_000_000_000)" }
        /// The URI of the file (RFC 8089), with all other characters in percent encoding as in GLib.
        fileprivate var uri: String { Self.uri(of: path) }

        fileprivate static func uri(of path: String) -> String {
            "file://" + PercentCoding.encoded(path, keeping: "/-._~!$&'()*+,=:@")
        }
    }

    /// Returns a valid thumbnail; nil if there is none, or the file has changed since.
    ///
    /// - Parameter ofOthers: whether it may be one of another program.
    package func thumbnail(_ key: Key, ofOthers: Bool = true) -> [UInt8]? {
        let (folder, name) = place(of: key)
        guard let file = try? OpenFolder(path: folder).open(name), file.status.size <= Int64(Self.mostBytes),
            let bytes = try? file.read(at: 0, count: Self.mostBytes)
        else { return nil }
        let texts = Dictionary(PNGText.read(bytes).map { ($0.keyword, String(decoding: $0.bytes, as: UTF8.self)) }) {
            first, _ in first
        }
        guard texts["Thumb::URI"] == key.uri, texts["Thumb::MTime"] == key.modified,
            texts["Obscura::Edits"] == key.edits
        else { return nil }
        // Other programs write no state: theirs may be outdated if a file has changed twice within a second.
        if let state = texts["Obscura::State"] { return state == key.status.stamp ? bytes : nil }
        return ofOthers ? bytes : nil
    }

    /// Encodes a thumbnail, and stores it if possible.
    @discardableResult
    package func store(_ picture: PixelBuffer, for key: Key) throws -> [UInt8] {
        var texts = [
            "Thumb::URI": key.uri, "Thumb::MTime": key.modified, "Obscura::State": key.status.stamp,
            "Software": "Obscura",
        ]
        texts["Obscura::Edits"] = key.edits
        let bytes = try PNGEncoder(compressionLevel: 6).encode(picture, texts: texts)
        let (folder, name) = place(of: key)
        // A cache that cannot be written is not an error.
        try? OutputFile.makeFolder(folder, permissions: 0o700)
        try? OpenFolder(path: folder).write(bytes, to: name, overwrites: true, permissions: 0o600)
        return bytes
    }

    /// Removes all thumbnails of a file that was deleted.
    ///
    /// - Parameter path: the absolute path that the file had.
    package func remove(_ path: String) {
        let name = "\(MD5.hex(of: Array(Key.uri(of: path).utf8))).png"
        for folder in [shared, own] {
            for size in ThumbnailSize.allCases { try? OpenFolder(path: "\(folder)/\(size.rawValue)").remove(name) }
        }
    }

    private func place(of key: Key) -> (folder: String, name: String) {
        let digest = MD5.hex(of: Array(key.uri.utf8))
        return ("\(key.edits == nil ? shared : own)/\(key.size.rawValue)", digest + ".png")
    }
}
