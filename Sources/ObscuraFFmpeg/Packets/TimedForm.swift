// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg

/// The form of a stream of text or of locations in a movie.
package enum TimedForm: Sendable, Hashable {
    /// Timed text of 3GPP, in MP4 and QuickTime.
    case timedText
    /// SubRip, in Matroska.
    case subRip
    /// Timed text that holds the chapters of a movie until it is rewritten.
    case chapters
    /// GPMF, in MP4 and QuickTime.
    case location

    /// The name of the stream that holds the chapters; recovery finds it by this name.
    package static let chaptersName = "Obscura chapters"

    /// The packet that ends a timed text.
    package static let endOfText: [UInt8] = [0, 0]

    /// Returns the timed text in the bytes of a packet; nil for the end of a text, and for damaged bytes.
    package static func text(of bytes: [UInt8]) -> String? {
        guard bytes.count > 2 else { return nil }
        let count = Int(bytes[0]) << 8 | Int(bytes[1])
        guard count > 0, count <= bytes.count - 2 else { return nil }
        return String(decoding: bytes[2..<2 + count], as: UTF8.self)
    }

    /// Returns the bytes of a packet with a content.
    package func payload(_ content: [UInt8]) -> [UInt8] {
        switch self {
        case .timedText, .chapters:
            let text = content.prefix(Self.wholeCharacters(of: content))
            return [UInt8(text.count >> 8), UInt8(text.count & 0xff)] + text
        case .subRip, .location: return content
        }
    }

    /// The number of bytes of UTF-8 that a timed text can hold.
    private static func wholeCharacters(of content: [UInt8]) -> Int {
        let most = Int(UInt16.max)
        guard content.count > most else { return content.count }
        // The first byte of the character that does not fit; the others of a character begin with the bits 10.
        return content[...most].lastIndex { $0 & 0xc0 != 0x80 } ?? 0
    }
}

extension CodecParameters {
    /// Creates the parameters of text or of locations. Returns nil if there is no memory.
    package convenience init?(_ form: TimedForm) {
        self.init { pointer in
            switch form {
            case .timedText, .chapters:
                pointer.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
                pointer.pointee.codec_id = AV_CODEC_ID_MOV_TEXT
                return Self.fill(pointer, extraData: Self.textDescription)
            case .subRip:
                pointer.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
                pointer.pointee.codec_id = AV_CODEC_ID_SUBRIP
            case .location:
                pointer.pointee.codec_type = AVMEDIA_TYPE_DATA
                pointer.pointee.codec_id = AV_CODEC_ID_BIN_DATA
                pointer.pointee.codec_tag = Self.locationTag
            }
            return 0
        }
    }

    /// The tag of GPMF, "gpmd", in the byte order of FFmpeg.
    private static let locationTag: UInt32 = 0x646d_7067

    /// Whether the stream is text in MP4 or QuickTime.
    package var isTimedText: Bool { pointer.pointee.codec_id == AV_CODEC_ID_MOV_TEXT }
    /// Whether the stream is text in Matroska.
    package var isSubRip: Bool { pointer.pointee.codec_id == AV_CODEC_ID_SUBRIP }
    /// Whether the stream holds locations.
    package var isLocation: Bool { pointer.pointee.codec_tag == Self.locationTag }

    /// How text looks (3GPP TS 26.245, section 5.16): white, without a background, at the bottom in the middle.
    private static let textDescription: [UInt8] =
        [0, 0, 0, 0]  // Flags.
        + [1, 0xff]  // Centered horizontally, at the bottom.
        + [0, 0, 0, 0]  // The color of the background.
        + [UInt8](repeating: 0, count: 8)  // The box of the text: that of the track.
        + [0, 0, 0, 0, 0, 1, 0, 16, 0xff, 0xff, 0xff, 0xff]  // All characters, font 1, 16 points, white.
        + [0, 0, 0, 18] + Array("ftab".utf8) + [0, 1, 0, 1, 5] + Array("Arial".utf8)  // The only font.
}
