// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The metadata segments of a JPEG.
extension JPEGSegments {
    /// Maximum number of bytes in a segment.
    static let longestPayload = 65_533

    private static let xmpHead = Array("http://ns.adobe.com/xap/1.0/".utf8) + [0]

    /// Inserts an EXIF block (with its header) and an XMP packet. As EXIF requires, they come first and the JFIF
    /// segment is removed.
    ///
    /// - Throws: ``ObscuraError/Code/tooLarge`` if one of them exceeds a segment.
    static func adding(exif: [UInt8], xmp: [UInt8]?, to file: [UInt8]) throws(ObscuraError) -> [UInt8] {
        var added = try application1(exif)
        if let xmp { added += try application1(xmpHead + xmp) }
        // The start of the image, followed by the JFIF segment, which EXIF replaces.
        var rest = 2
        if file.count > 4, file[2] == 0xff, file[3] == 0xe0 { rest += 2 + (Int(file[4]) << 8 | Int(file[5])) }
        return file.prefix(2) + added + file.dropFirst(rest)
    }

    private static func application1(_ payload: [UInt8]) throws(ObscuraError) -> [UInt8] {
        guard payload.count <= longestPayload else {
            throw ObscuraError(
                .imaging, .tooLarge, subject: "metadata of a JPEG",
                reason: "\(payload.count) bytes of text exceed the limit of 64 KiB",
                advice: "Shorten the description, or write a PNG.")
        }
        let length = payload.count + 2
        return [0xff, 0xe1, UInt8(length >> 8), UInt8(length & 0xff)] + payload
    }

    /// Reads the metadata. Never fails: for a damaged file, returns what precedes the damage.
    static func parts(of bytes: [UInt8]) -> StillParts {
        var parts = StillParts()
        var components = 0
        var offset = 2
        while offset + 4 <= bytes.count, bytes[offset] == 0xff {
            let marker = bytes[offset + 1]
            switch marker {
            case 0xff:
                offset += 1
                continue
            case 0x01, 0xd0...0xd8:
                offset += 2
                continue
            case 0xd9: return parts
            // The samples.
            case 0xda:
                // A scan that is not the only one requires the decoder to keep all coefficients.
                if offset + 4 < bytes.count, Int(bytes[offset + 4]) < components { parts.hasSeveralScans = true }
                return parts
            default: break
            }
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            guard length >= 2, offset + 2 + length <= bytes.count else { return parts }
            let body = bytes[offset + 4..<offset + 2 + length]
            switch marker {
            case 0xe1 where parts.exif == nil && body.starts(with: LibExif.head): parts.exif = Array(body)
            case 0xe1 where parts.xmp == nil && body.starts(with: xmpHead):
                parts.xmp = Array(body.dropFirst(xmpHead.count))
            // The frame headers; tables have numbers in between.
            case 0xc0...0xcf where ![0xc4, 0xc8, 0xcc].contains(marker) && body.count >= 5:
                let numbers = body.dropFirst().prefix(4).map { Int($0) }
                parts.size = PixelSize(width: numbers[2] << 8 | numbers[3], height: numbers[0] << 8 | numbers[1])
                components = Int(body.dropFirst(5).first ?? 0)
                let factors = samplingFactors(Array(body.dropFirst(6)), components)
                parts.samplesPerPixel = samplesPerPixel(factors)
                parts.isDecodedAsPlanes = isDecodedAsPlanes(factors)
                // Progressive, with Huffman or arithmetic coding.
                parts.hasSeveralScans = marker == 0xc2 || marker == 0xca
            default: break
            }
            offset += 2 + length
        }
        return parts
    }

    /// Returns the sampling factors of the components in a frame header.
    private static func samplingFactors(_ rows: [UInt8], _ components: Int) -> [(columns: Int, rows: Int)] {
        (0..<components).compactMap { index in
            guard index * 3 + 1 < rows.count else { return nil }
            let factor = rows[index * 3 + 1]
            return (max(1, Int(factor >> 4)), max(1, Int(factor & 15)))
        }
    }

    /// Returns the mean number of samples per pixel.
    private static func samplesPerPixel(_ factors: [(columns: Int, rows: Int)]) -> Double {
        let most = (factors.map(\.columns).max() ?? 1) * (factors.map(\.rows).max() ?? 1)
        return factors.reduce(0) { $0 + Double($1.columns * $1.rows) / Double(most) }
    }

    /// Whether ``JPEGDecoder`` surely keeps the samples in planes: 4:4:4 may be RGB, and 4:4:0 and 4:1:1 have as many
    /// samples as other formats.
    private static func isDecodedAsPlanes(_ factors: [(columns: Int, rows: Int)]) -> Bool {
        guard factors.count == 3, let luma = factors.first else { return factors.count == 1 }
        return luma.columns == 2 && luma.rows <= 2 && factors.dropFirst().allSatisfy { $0.columns * $0.rows == 1 }
    }
}
