// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraLibrary

/// The image over the viewfinder of a picker.
struct PickerOverlay: Sendable {
    let file: MediaFile
    let contentType: String

    /// - Throws: the error of a file that cannot be read; ``ObscuraError/Code/unreadable`` if it is no image that browsers
    ///   show.
    init(_ path: String) throws(ObscuraError) {
        file = try MediaFile(opening: path)
        let head = try file.read(at: 0, count: 4096)
        let text = String(decoding: head, as: UTF8.self)
        if let kind = StillInfo.kind(of: head) {
            contentType = kind == .jpeg ? "image/jpeg" : "image/png"
        } else if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            contentType = "image/webp"
        } else if text.contains("<svg") {
            contentType = "image/svg+xml"
        } else {
            throw ObscuraError(
                .studio, .unreadable, subject: path, reason: "it is not an image that browsers can display",
                advice: "Use a PNG, JPEG, WebP or SVG file.")
        }
    }
}
