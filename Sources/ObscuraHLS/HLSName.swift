// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The files that are served, by the names that a broadcast to `live.m3u8` gives them. Nothing else has a name here.
enum HLSName: Sendable, Hashable {
    /// The list of what there is to choose from, which is one.
    case master
    /// The list of segments.
    case media
    /// With what each segment begins.
    case initial
    /// Six digits of its number, or more.
    case segment(String)

    /// - Parameter text: as it stood in the path; no escape is undone.
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

    /// The name of the file.
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

    /// How long it may be kept. A segment never changes while its name is in a list; after a new start, others have
    /// these names, so that it is not kept for long.
    func cacheControl(isPrivate: Bool) -> String {
        switch self {
        case .master, .media, .initial: "no-cache"
        case .segment: "\(isPrivate ? "private" : "public"), max-age=10, immutable"
        }
    }
}
