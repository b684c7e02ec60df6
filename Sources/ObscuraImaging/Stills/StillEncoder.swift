// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// An encoder of stills: JPEG or PNG files with metadata.
///
/// Use an encoder on only one thread at a time: it keeps codecs and scratch memory between calls.
public final class StillEncoder {
    private enum Codec {
        case jpeg(JPEGEncoder)
        case png(PNGEncoder)
    }

    /// The format of the files.
    public let format: StillFormat
    private let codec: Codec

    /// Creates an encoder.
    ///
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for an invalid quality or level,
    ///   ``ObscuraError/Code/codecFailed``.
    public init(_ format: StillFormat) throws(ObscuraError) {
        self.format = format
        codec =
            switch format {
            case .jpeg(let quality): .jpeg(try JPEGEncoder(quality: quality ?? StillFormat.defaultQuality))
            case .png(let level): .png(try PNGEncoder(compressionLevel: level))
            }
    }

    /// Encodes a picture as a file.
    ///
    /// - Parameters:
    ///   - picture: any uncompressed picture. The encoder does not rotate the picture.
    ///   - properties: the metadata. ``StillProperties`` lists the EXIF and XMP fields of the file.
    /// - Throws: as ``JPEGEncoder/encode(_:)``, and ``ObscuraError/Code/tooLarge`` for texts that exceed a JPEG segment
    ///   (64 KiB).
    public func encode(_ picture: PixelBuffer, _ properties: StillProperties) throws -> [UInt8] {
        var fields = ExifFields(
            properties.metadata, size: picture.size, turn: properties.orientation, isMirrored: properties.isMirrored)
        let xmp = XMPPacket.make(properties.metadata)
        switch codec {
        case .jpeg(let encoder):
            let file = try encoder.encode(picture)
            let block = try Self.block(&fields, of: picture, properties.thumbnailSide)
            return try JPEGSegments.adding(exif: block, xmp: xmp, to: file)
        case .png(let encoder):
            // PNG stores RGB, with full chroma.
            fields[.components] = nil
            fields[.chromaPosition] = nil
            let block = try LibExif.encode(fields)
            return try encoder.encode(picture, exif: Array(block.dropFirst(LibExif.head.count)), xmp: xmp)
        }
    }

    /// Returns the EXIF block, with a thumbnail if both fit in a segment.
    static func block(
        _ fields: inout ExifFields, of picture: PixelBuffer, _ side: Int?
    ) throws -> [UInt8] {
        let bare = try LibExif.encode(fields)
        guard let side, side > 0 else { return bare }
        for quality in [80, 60, 30] {
            fields.setThumbnail(try thumbnail(of: picture, side: side, quality: quality))
            let block = try LibExif.encode(fields)
            if block.count <= JPEGSegments.longestPayload { return block }
        }
        return bare
    }

    /// Returns a small JPEG of the picture, whose longer side is `side`, or that of the picture if that is shorter.
    static func thumbnail(of picture: PixelBuffer, side: Int, quality: Int) throws -> [UInt8] {
        var request = ImageRequest()
        let longest = max(picture.width, picture.height)
        if longest > side {
            // Rounded, and at least 1: a picture may be very elongated.
            let scale = { (length: Int) in max(1, (length * side + longest / 2) / longest) }
            request.size = PixelSize(width: scale(picture.width), height: scale(picture.height))
            request.fit = .stretch
        }
        return try JPEGEncoder(quality: quality).encode(try ImageTransformer.transform(picture, request))
    }
}
