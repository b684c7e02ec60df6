// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The compressed picture of a JPEG file, without metadata: its tables, frame header and scans, unchanged.
struct JPEGPicture {
    /// The segments before the first scan. Standard Huffman tables come first if the file omits one that it uses.
    let header: [UInt8]
    /// The bytes from the first scan to the end marker, including both.
    let scans: ArraySlice<UInt8>

    /// The complete file without metadata.
    var file: [UInt8] { [0xff, 0xd8] + header + scans }

    /// Returns the picture of a file. Returns nil for a damaged file, and for a form that many readers do not support:
    /// other than Huffman coding, 8 bits, and gray or three components.
    init?(of file: [UInt8]) {
        guard file.starts(with: [0xff, 0xd8]), let end = JPEGSegments.endMarker(in: file.span.bytes) else { return nil }
        var tables = Tables()
        var header: [UInt8] = []
        var offset = 2
        while let segment = JPEGSegment(of: file, at: offset) {
            offset = segment.bytes.endIndex
            switch segment.marker {
            case 0xda:
                guard let isComplete = tables.areComplete(for: segment.body) else { return nil }
                self.header = (isComplete ? [] : JPEGHuffmanTables.segment) + header
                guard segment.bytes.startIndex < end else { return nil }
                scans = file[segment.bytes.startIndex..<end + 2]
                return
            case 0xc0, 0xc1, 0xc2: tables.frame = segment
            case 0xc4: tables.define(segment.body)
            // Quantization tables and the restart interval.
            case 0xdb, 0xdd: break
            case 0xe0...0xef, 0xfe:
                if segment.marker == 0xe0, segment.body.starts(with: "JFIF\0".utf8) { tables.isJFIF = true }
                // Other segments are metadata or private data of the camera.
                guard segment.definesColor(isJFIF: tables.isJFIF) else { continue }
            default: return nil
            }
            header += segment.bytes
        }
        return nil
    }

    /// The tables and the frame header, as far as they determine whether the picture can be copied.
    private struct Tables {
        /// The Huffman tables that are defined: the class in the upper 4 bits, the number in the lower.
        private var huffman: Set<UInt8> = []
        var frame: JPEGSegment?
        var isJFIF = false

        mutating func define(_ body: ArraySlice<UInt8>) {
            var rest = body
            while let table = rest.first, rest.count >= 17 {
                huffman.insert(table)
                rest = rest.dropFirst(17 + rest.dropFirst().prefix(16).reduce(0) { $0 + Int($1) })
            }
        }

        /// Whether all Huffman tables of a scan are defined; nil if the picture has an unsupported form.
        func areComplete(for scan: ArraySlice<UInt8>) -> Bool? {
            guard let frame, frame.body.count >= 6, let precision = frame.body.first, precision == 8,
                let components = frame.body.dropFirst(5).first, components == 1 || components == 3,
                let count = scan.first.map(Int.init), (1...4).contains(count), scan.count >= 4 + 2 * count
            else { return nil }
            // Without the JFIF segment, these components would be taken for RGB.
            let names = stride(from: 0, to: 3 * Int(components), by: 3).map { frame.body.dropFirst(6 + $0).first }
            if isJFIF, names == Array("RGB".utf8) { return nil }
            let numbers = scan.dropFirst().prefix(2 * count).enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            let first = scan.dropFirst(1 + 2 * count).first ?? 0
            let isProgressive = frame.marker == 0xc2
            let used = numbers.flatMap { number -> [UInt8] in
                let (dc, ac) = (number >> 4, 0x10 | number & 15)
                guard isProgressive else { return [dc, ac] }
                return [first == 0 ? dc : ac]
            }
            return huffman.isSuperset(of: used)
        }
    }
}

extension JPEGSegment {
    /// Whether the segment determines the colors of the picture: a color profile, or the color transform in Adobe's
    /// segment, which a JFIF segment overrides.
    fileprivate func definesColor(isJFIF: Bool) -> Bool {
        switch marker {
        case 0xe2: body.starts(with: "ICC_PROFILE\0".utf8)
        case 0xee: body.starts(with: "Adobe".utf8) && !isJFIF
        default: false
        }
    }
}
