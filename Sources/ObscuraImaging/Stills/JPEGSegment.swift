// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A segment of a JPEG file, found without decoding.
struct JPEGSegment {
    /// The second byte of the marker.
    let marker: UInt8
    /// The bytes of the segment, with marker and length.
    let bytes: ArraySlice<UInt8>

    /// The bytes after the length.
    var body: ArraySlice<UInt8> { bytes.dropFirst(4) }

    /// Returns the segment at an offset, without fill bytes before it; nil if there is no complete segment.
    init?(of file: [UInt8], at offset: Int) {
        var offset = offset
        while offset + 1 < file.count, file[offset] == 0xff, file[offset + 1] == 0xff { offset += 1 }
        guard offset + 3 < file.count, file[offset] == 0xff else { return nil }
        let length = Int(file[offset + 2]) << 8 | Int(file[offset + 3])
        guard length >= 2, offset + 2 + length <= file.count else { return nil }
        marker = file[offset + 1]
        bytes = file[offset..<offset + 2 + length]
    }
}
