// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The metadata of a still's file, read without decoding the picture.
///
/// ```swift
/// let info = try StillInfo(contentsOf: "photo.jpg")
/// print(info.size, info.metadata.date?.iso8601 ?? "no date", info.metadata.location as Any)
/// ```
public struct StillInfo: Sendable, Hashable {
    /// A supported kind of file.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        /// A JPEG file.
        case jpeg
        /// A PNG file.
        case png
    }

    /// The kind of file.
    public let kind: Kind
    /// The size of the picture in pixels, before the rotation by ``orientation``.
    public let size: PixelSize
    /// The clockwise rotation that makes the picture upright.
    public let orientation: Orientation
    /// Whether the picture must be mirrored horizontally to be displayed correctly. Mirror after the rotation by
    /// ``orientation``.
    public let isMirrored: Bool
    /// The metadata in EXIF, in XMP and in the text chunks of a PNG. Invalid values are omitted.
    public let metadata: Metadata
    /// The thumbnail, a small JPEG in the file; nil if the file has no thumbnail.
    public let thumbnail: [UInt8]?
    /// The mean number of samples per pixel of a JPEG.
    private let samplesPerPixel: Double
    /// Whether a JPEG surely becomes a planar format with as many samples.
    private let isDecodedAsPlanes: Bool
    /// The largest width or height; the header of a PNG can claim 2³². The product of two still fits an `Int`.
    private static let largestSide = 1 << 20
    /// Whether decoding a JPEG requires the whole file, as for a progressive one.
    private let hasSeveralScans: Bool

    /// Returns the kind of a file by its first bytes; nil for an unsupported kind.
    public static func kind(of bytes: some Collection<UInt8>) -> Kind? {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return .jpeg }
        return bytes.starts(with: PNGChunks.signature) ? .png : nil
    }

    /// Parses the bytes of a complete file, or the beginning of a file up to its picture data.
    ///
    /// - Throws: ``ObscuraError/Code/damaged`` if the bytes are neither a JPEG nor a PNG, or the size of the picture is
    ///   missing. Damaged metadata is omitted without an error.
    public init(_ bytes: [UInt8]) throws(ObscuraError) {
        guard let kind = Self.kind(of: bytes) else {
            throw .damaged("photo", "it is neither a JPEG nor a PNG")
        }
        self.kind = kind
        let parts = kind == .jpeg ? JPEGSegments.parts(of: bytes) : PNGChunks.parts(of: bytes)
        guard let size = parts.size, size.width > 0, size.height > 0 else {
            throw .damaged(kind == .jpeg ? "JPEG" : "PNG", "it ends before the header with the size of the picture")
        }
        guard max(size.width, size.height) <= Self.largestSide else {
            throw .damaged(kind == .jpeg ? "JPEG" : "PNG", "its header claims a size of \(size)")
        }
        self.size = size
        (samplesPerPixel, hasSeveralScans) = (parts.samplesPerPixel, parts.hasSeveralScans)
        isDecodedAsPlanes = parts.isDecodedAsPlanes
        let fields = parts.exif.flatMap { try? LibExif.decode($0) } ?? ExifFields()
        (orientation, isMirrored) = fields.turn
        thumbnail = fields.thumbnail
        // XMP takes precedence, since it has all characters.
        var metadata = Metadata(fields).merging(parts.texts)
        if let xmp = parts.xmp {
            let said = XMPPacket.read(xmp)
            // EXIF may have the title in the place of a missing description.
            if said.title != nil, said.description == nil, metadata.description == said.title {
                metadata.description = nil
            }
            metadata = metadata.merging(said)
        }
        self.metadata = metadata
    }

    /// The upright size.
    package var uprightSize: PixelSize { orientation.isTransposed ? size.transposed : size }

    /// Returns the upright size at which ``Still/init(_:_:fitting:)`` decodes it.
    package func decodedSize(fitting box: PixelSize?) -> PixelSize {
        kind == .jpeg ? JPEGDecoder.decodedSize(of: uprightSize, fitting: box) : uprightSize
    }

    /// Returns an upper bound of the memory of ``Still/init(_:_:fitting:)`` in addition to the file, in bytes.
    package func decodingBytes(fitting box: PixelSize?) -> Int {
        let decoded = decodedSize(fitting: box).pixelCount
        // PNG becomes RGBA; JPEG with rare subsampling, and RGB, become BGRA.
        let copies = orientation != .up || isMirrored ? 2 : 1
        let samples = Int(Double(decoded) * (isDecodedAsPlanes ? samplesPerPixel : 4)) * copies
        // libjpeg-turbo keeps coefficients of 16 bits.
        return samples + (hasSeveralScans ? Int(Double(size.pixelCount) * samplesPerPixel * 2) : 0)
    }

    /// Reads the metadata of a file.
    ///
    /// - Throws: ``ObscuraError/Code/unreadable`` for a missing or inaccessible file; otherwise as
    ///   ``init(_:)-([UInt8])``.
    public init(contentsOf path: String) throws(ObscuraError) {
        do throws(ObscuraError) {
            try self.init(StillFile.beginning(of: path))
        } catch {
            throw error.about(path)
        }
    }
}
