// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The names of the served files, as a broadcast to `live.m3u8` creates them. Other names are not found.
enum HLSName: Sendable, Hashable {
    /// The master playlist, with a single variant.
    case master
    /// The media playlist.
    case media
    /// The initialization segment.
    case initial
    /// A segment, with the six or more digits of its number.
    case segment(String)

    /// - Parameter text: the name as it appears in the path, without unescaping.
    init?(_ text: some StringProtocol) {
        switch text {
        case "live.m3u8": self = .master
        case "live-media.m3u8": self = .media
        case "live-init.mp4": self = .initial
        default:
            guard text.hasPrefix("live-"), text.hasSuffix(".m4s") else { return nil }
            let digits = text.utf8.dropFirst("live-".utf8.count).dropLast(".m4s".utf8.count)
            guard (6...18).contains(digits.count),
                digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return nil }
            self = .segment(String(decoding: digits, as: UTF8.self))
        }
    }

    /// The file name.
    var text: String {
        switch self {
        case .master: "live.m3u8"
        case .media: "live-media.m3u8"
        case .initial: "live-init.mp4"
        case .segment(let digits): "live-\(digits).m4s"
        }
    }

    var contentType: String {
        switch self {
        case .master, .media: "application/vnd.apple.mpegurl"
        case .initial: "video/mp4"
        case .segment: "video/iso.segment"
        }
    }

    /// Returns the `Cache-Control` header. A segment never changes while it is in a playlist; after a restart, other
    /// segments have the same names, so that the lifetime is short.
    func cacheControl(isPrivate: Bool) -> String {
        switch self {
        case .master, .media, .initial: "no-cache"
        case .segment: "\(isPrivate ? "private" : "public"), max-age=10, immutable"
        }
    }
}
