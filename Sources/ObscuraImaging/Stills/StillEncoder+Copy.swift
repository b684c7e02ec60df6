// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension StillEncoder {
    /// Returns a JPEG file with the compressed picture of `jpeg`, unchanged, and new metadata.
    ///
    /// The metadata of `jpeg`, private segments of a camera, and bytes after the end marker are omitted. Missing Huffman
    /// tables are added.
    ///
    /// - Parameters:
    ///   - jpeg: a complete JPEG.
    ///   - picture: the decoded picture of `jpeg`, for the thumbnail.
    ///   - properties: the metadata, as for ``encode(_:_:)``.
    /// - Returns: the file; nil if many readers do not support this form of JPEG, so that the picture must be encoded.
    /// - Throws: as ``encode(_:_:)``.
    package static func copying(
        _ jpeg: [UInt8], showing picture: PixelBuffer, _ properties: StillProperties
    ) throws -> [UInt8]? {
        guard let compressed = JPEGPicture(of: jpeg) else { return nil }
        var fields = ExifFields(
            properties.metadata, size: picture.size, turn: properties.orientation, isMirrored: properties.isMirrored)
        let block = try block(&fields, of: picture, properties.thumbnailSide)
        return try JPEGSegments.adding(exif: block, xmp: XMPPacket.make(properties.metadata), to: compressed.file)
    }
}
