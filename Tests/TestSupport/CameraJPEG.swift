// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation

/// JPEG frames in the forms that cameras deliver, made of ordinary JPEG files.
package enum CameraJPEG {
    /// The offset of the first scan, found by the lengths of the segments.
    package static func scan(of file: [UInt8]) -> Int? {
        segments(of: file).last { $0.marker == 0xda }?.range.lowerBound
    }

    /// The bytes from the first scan to the end marker. The file ends with the marker, or with zeros after it.
    package static func scans(of file: [UInt8]) -> ArraySlice<UInt8>? {
        guard let begin = scan(of: file), let last = file.lastIndex(of: 0xd9) else { return nil }
        return file[begin...last]
    }

    /// The segments up to the first scan, with its header.
    package static func segments(of file: [UInt8]) -> [(marker: UInt8, range: Range<Int>)] {
        var segments: [(marker: UInt8, range: Range<Int>)] = []
        var offset = 2
        while offset + 3 < file.count, segments.last?.marker != 0xda {
            let length = 2 + Int(file[offset + 2]) << 8 + Int(file[offset + 3])
            segments.append((file[offset + 1], offset..<offset + length))
            offset += length
        }
        return segments
    }

    /// The file without the segments with one of these markers.
    package static func removing(_ markers: Set<UInt8>, from file: [UInt8]) -> [UInt8] {
        var rest = file
        for segment in segments(of: file).reversed() where markers.contains(segment.marker) {
            rest.removeSubrange(segment.range)
        }
        return rest
    }

    /// The file with a segment directly after the start of the image.
    package static func inserting(_ marker: UInt8, _ body: [UInt8], into file: [UInt8]) -> [UInt8] {
        let length = body.count + 2
        return file[..<2] + [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + body + file[2...]
    }

    /// A frame as many USB cameras send it: a segment of AVI in place of JFIF, no Huffman tables, padding at the end.
    package static func motion(_ file: [UInt8]) -> [UInt8] {
        let bare = removing([0xe0, 0xc4], from: file)
        return inserting(0xe0, Array("AVI1".utf8) + [UInt8](repeating: 0, count: 10), into: bare)
            + [UInt8](repeating: 0, count: 37)
    }

    /// A progressive file of 24x16 pixels.
    package static var progressive: [UInt8] {
        Array(
            Data(
                base64Encoded: """
                    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hn\
                    Pk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj\
                    Y2P/wgARCAAQABgDASIAAhEBAxEB/8QAFwAAAwEAAAAAAAAAAAAAAAAAAAMEBf/EABYBAQEBAAAAAAAAAAAAAAAAAAMCBf/aAAwDAQAC\
                    EAMQAAABzXVuspDRC0P/xAAWEAADAAAAAAAAAAAAAAAAAAAAAQL/2gAIAQEAAQUCUCgUCgUCg//EABcRAAMBAAAAAAAAAAAAAAAAAAAC\
                    AyH/2gAIAQMBAT8BlYW2H//EABYRAAMAAAAAAAAAAAAAAAAAAAABA//aAAgBAgEBPwF1HU//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oA\
                    CAEBAAY/Al//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/IUAB/9oADAMBAAIAAwAAABA83//EABYRAQEBAAAAAAAAAAAAAAAA\
                    AABRYf/aAAgBAwEBPxDVc//EABURAQEAAAAAAAAAAAAAAAAAAAAh/9oACAECAQE/EFR//8QAFRABAQAAAAAAAAAAAAAAAAAAAGH/2gAI\
                    AQEAAT8Qmmmmmm//2Q==
                    """) ?? Data())
    }
}
