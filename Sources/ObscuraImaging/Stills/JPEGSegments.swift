// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The parts of a JPEG file (ITU-T T.81, annex B), as far as they can be told apart without decoding it.
enum JPEGSegments {
    /// Whether there is nothing but filling (zeros, or bytes of 255) in so many bytes before the end marker.
    static func isFilled(_ bytes: RawSpan, with count: Int) -> Bool {
        guard count > 0, let end = endMarker(in: bytes), end >= count else { return false }
        return (end - count..<end).allSatisfy { [0, 255].contains(byte($0, of: bytes)) }
    }

    /// Where the end marker lies; nil when there is none. Not one of a small picture inside of a segment.
    static func endMarker(in bytes: RawSpan) -> Int? {
        var offset = 2
        while offset + 1 < bytes.byteCount {
            guard byte(offset, of: bytes) == 0xff else {
                offset += 1
                continue
            }
            switch byte(offset + 1, of: bytes) {
            case 0xd9: return offset
            // Filling, a byte of 255 among the samples, and the markers that stand alone.
            case 0xff: offset += 1
            case 0x00, 0x01, 0xd0...0xd8: offset += 2
            default:
                guard offset + 3 < bytes.byteCount else { return nil }
                offset += 2 + Int(byte(offset + 2, of: bytes)) << 8 + Int(byte(offset + 3, of: bytes))
            }
        }
        return nil
    }

    private static func byte(_ offset: Int, of bytes: RawSpan) -> UInt8 {
        bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
