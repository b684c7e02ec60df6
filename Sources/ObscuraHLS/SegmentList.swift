// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A media playlist (RFC 8216), as FFmpeg writes it.
struct SegmentList: Sendable, Equatable {
    let text: String
    /// Number of the first segment.
    let first: Int
    let count: Int
    /// Whether the broadcast has ended.
    let isEnded: Bool
    /// Maximum duration of a segment.
    let targetDuration: Duration

    /// Number of the newest segment; one less than the first if there is none.
    var last: Int { first + count - 1 }

    /// Parses a playlist; returns nil for other text.
    init?(_ text: String) {
        guard text.hasPrefix("#EXTM3U") else { return nil }
        var (first, count, isEnded, seconds) = (0, 0, false, 1)
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("#EXT-X-MEDIA-SEQUENCE:") {
                first = Self.number(line)
            } else if line.hasPrefix("#EXT-X-TARGETDURATION:") {
                seconds = Self.number(line)
            } else if line.hasPrefix("#EXTINF:") {
                count += 1
            } else if line == "#EXT-X-ENDLIST" {
                isEnded = true
            }
        }
        self.text = text
        self.first = first
        self.count = count
        self.isEnded = isEnded
        targetDuration = .seconds(min(60, max(1, seconds)))
    }

    /// Whether it contains the segment of this number, or never will.
    func reaches(_ number: Int) -> Bool { isEnded || number <= last }

    /// The playlist as served: with the tag that permits blocking requests for the next segment (RFC 8216bis, 6.2.5.2).
    var servedText: String {
        guard !isEnded, let end = text.firstIndex(where: \.isNewline) else { return text }
        return text[...end] + "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n" + text[text.index(after: end)...]
    }

    private static func number(_ line: Substring) -> Int {
        Int(line.drop { $0 != ":" }.dropFirst()).map { min(max($0, 0), 1 << 53) } ?? 0
    }
}
