// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The segments of a JPEG file (ITU-T T.81, annex B), as far as they can be found without decoding.
enum JPEGSegments {
    /// Whether this number of bytes before the end marker are padding (zeros or bytes of 255).
    static func isFilled(_ bytes: RawSpan, with count: Int) -> Bool {
        guard count > 0, let end = endMarker(in: bytes), end >= count else { return false }
        return (end - count..<end).allSatisfy { [0, 255].contains(byte($0, of: bytes)) }
    }

    /// Returns the position of the end marker; nil if there is none. Ignores thumbnails inside segments.
    static func endMarker(in bytes: RawSpan) -> Int? {
        var offset = 2
        while offset + 1 < bytes.byteCount {
            guard byte(offset, of: bytes) == 0xff else {
                offset += 1
                continue
            }
            switch byte(offset + 1, of: bytes) {
            case 0xd9: return offset
            // Padding, an escaped byte of 255 in the samples, and markers without a length.
            case 0xff: offset += 1
            case 0x00, 0x01, 0xd0...0xd8: offset += 2
            default:
                guard offset + 3 < bytes.byteCount else { return nil }
                offset += 2 + Int(byte(offset + 2, of: bytes)) << 8 + Int(byte(offset + 3, of: bytes))
            }
        }
        return nil
    }

    /// Whether another image follows the end marker, at most after padding (zeros or bytes of 255).
    static func hasAnotherImage(in bytes: RawSpan) -> Bool {
        guard let end = endMarker(in: bytes),
            let next = (end + 2..<bytes.byteCount).first(where: { ![0, 255].contains(byte($0, of: bytes)) })
        else { return false }
        return next > end + 2 && byte(next - 1, of: bytes) == 0xff && byte(next, of: bytes) == 0xd8
    }

    private static func byte(_ offset: Int, of bytes: RawSpan) -> UInt8 {
        bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
