// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraFFmpeg
internal import ObscuraImaging
internal import ObscuraMedia

/// Thumbnails in the form of the freedesktop.org specification (version 0.9), which file managers share: a PNG for each
/// file, named by the MD5 digest of its URI, with the URI and the modification date of the file.
///
/// Photos with edits look different in the library. Their thumbnails are in a folder of the library, in the same form.
struct ThumbnailCache: Sendable {
    /// No thumbnail reaches it, in bytes.
    private static let mostBytes = 8 << 20

    /// The folder of shared thumbnails.
    private let shared: String
    /// The folder of thumbnails of edited photos.
    private let own: String

    init(shared: String, own: String) {
        (self.shared, self.own) = (shared, own)
    }

    /// A thumbnail to find or to create.
    struct Key: Sendable, Hashable {
        /// The absolute path of the file.
        let path: String
        /// The modification date of the file, in seconds since 1970.
        let modified: Int64
        /// The state of the edits; nil without edits.
        let edits: String?
        let size: ThumbnailSize

        /// The URI of the file (RFC 8089), with all other characters in percent encoding as in GLib.
        fileprivate var uri: String { "file://" + PercentCoding.encoded(path, keeping: "/-._~!$&'()*+,=:@") }
    }

    /// Returns a valid thumbnail; nil if there is none, or the file has changed since.
    func thumbnail(_ key: Key) -> [UInt8]? {
        let (folder, name) = place(of: key)
        guard let file = try? OpenFolder(path: folder).open(name), file.status.size <= Int64(Self.mostBytes),
            let bytes = try? file.read(at: 0, count: Self.mostBytes)
        else { return nil }
        let texts = Dictionary(PNGText.read(bytes).map { ($0.keyword, String(decoding: $0.bytes, as: UTF8.self)) }) {
            first, _ in first
        }
        guard texts["Thumb::URI"] == key.uri, texts["Thumb::MTime"] == "\(key.modified)",
            texts["Obscura::Edits"] == key.edits
        else { return nil }
        return bytes
    }

    /// Encodes a thumbnail, and stores it if possible.
    func store(_ picture: PixelBuffer, for key: Key) throws -> [UInt8] {
        var texts = ["Thumb::URI": key.uri, "Thumb::MTime": "\(key.modified)", "Software": "Obscura"]
        texts["Obscura::Edits"] = key.edits
        let bytes = try PNGEncoder(compressionLevel: 6).encode(picture, texts: texts)
        let (folder, name) = place(of: key)
        // A cache that cannot be written is not an error.
        try? OutputFile.makeFolder(folder, permissions: 0o700)
        try? OpenFolder(path: folder).write(bytes, to: name, overwrites: true, permissions: 0o600)
        return bytes
    }

    private func place(of key: Key) -> (folder: String, name: String) {
        let digest = MD5.hex(of: Array(key.uri.utf8))
        return ("\(key.edits == nil ? shared : own)/\(key.size.rawValue)", digest + ".png")
    }
}
