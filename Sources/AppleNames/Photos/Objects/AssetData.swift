// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraLibrary
internal import UIKit
internal import UniformTypeIdentifiers

/// The data of a new asset.
struct AssetData: Sendable {
    enum Content: Sendable {
        case image(UIImage)
        case bytes(Data)
        case file(URL)
    }

    let content: Content
    let kind: LibraryItem.Kind
    /// Whether the file is deleted when its copy is in the library.
    var isMoved = false
    /// The wanted name in the library.
    var name: String?
    /// The type, if a program has specified it.
    var type: UTType?

    /// Returns a file with the data. Blocks.
    ///
    /// - Throws: ``ObscuraError/Code/encodingFailed``, ``ObscuraError/Code/unreadable``, ``ObscuraError/Code/writingFailed``.
    func file() throws(ObscuraError) -> SourceFile {
        switch content {
        case .file(let url):
            guard url.isFileURL, FileManager.default.fileExists(atPath: url.path) else {
                throw ObscuraError(
                    .library, .unreadable, subject: url.absoluteString, reason: "there is no such file",
                    advice: "Use the URL of a file on this machine.")
            }
            return SourceFile(url: url)
        case .bytes(let data): return try SourceFile(temporary: data)
        case .image(let image):
            guard let data = image.jpegData(compressionQuality: 0.95) else {
                throw ObscuraError(
                    .library, .encodingFailed, subject: "image",
                    reason: "it has no pixels, or a side of more than 16384 pixels")
            }
            return try SourceFile(temporary: data)
        }
    }

    /// Returns the name of a file in the library: the wanted one, or that of the file, with an extension of its kind.
    /// Blocks.
    func fileName(of file: SourceFile) -> String {
        let own = name ?? (file.isTemporary ? nil : file.url.lastPathComponent)
        let parts = own.map { ($0 as NSString).lastPathComponent as NSString }
        if let parts, MediaFileType(ending: parts.pathExtension)?.kind == kind { return parts as String }
        let stem = (parts?.deletingPathExtension).flatMap { $0.isEmpty ? nil : $0 } ?? Self.stem(kind)
        return "\(stem).\(ending(of: file))"
    }

    /// The extension of a file without a name.
    private func ending(of file: SourceFile) -> String {
        switch kind {
        case .photo: StillInfo.kind(of: file.head) == .png ? "png" : "jpg"
        case .movie:
            type.flatMap { $0.tags[.filenameExtension] }?.first { MediaFileType(ending: $0)?.kind == .movie }
                ?? (MediaFileType(ending: file.url.pathExtension)?.kind == .movie ? file.url.pathExtension : "mp4")
        }
    }

    /// The name of a file that has none, such as `photo-2026-11-21-201530`.
    private static func stem(_ kind: LibraryItem.Kind) -> String {
        let now = WallTime.now.fields
        return "\(kind.rawValue)-\(now.date("-"))-\(now.clock(""))"
    }
}
