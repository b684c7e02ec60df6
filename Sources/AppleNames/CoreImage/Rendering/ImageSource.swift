// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The origin of the pixels of an image.
enum ImageSource: Sendable {
    case picture(PixelBuffer)
    case file(StillSource)

    /// The pixels, which are decoded first if necessary.
    func picture() throws -> PixelBuffer {
        switch self {
        case .picture(let picture): picture
        case .file(let file): try file.picture()
        }
    }
}

/// The file of a photo, which is decoded once, when its pixels are needed.
final class StillSource: Sendable {
    let info: StillInfo
    private let bytes: [UInt8]
    private let decoded = Lock<PixelBuffer?>(nil)

    /// - Returns: nil for bytes that are not a photo.
    init?(_ bytes: [UInt8]) {
        guard let info = try? StillInfo(bytes) else { return nil }
        self.info = info
        self.bytes = bytes
    }

    func picture() throws -> PixelBuffer {
        try decoded.withLock { decoded in
            if let decoded { return decoded }
            let picture = try PixelBuffer.stored(in: bytes, info)
            decoded = picture
            return picture
        }
    }
}
