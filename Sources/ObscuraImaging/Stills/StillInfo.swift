// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What the file of a still says of itself, read without decoding the picture.
///
/// ```swift
/// let info = try StillInfo(contentsOf: "photo.jpg")
/// print(info.size, info.metadata.date?.iso8601 ?? "no date", info.metadata.location as Any)
/// ```
public struct StillInfo: Sendable, Hashable {
    /// The kinds of files that are read.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        case jpeg
        case png
    }

    /// What the file is.
    public let kind: Kind
    /// The size of the picture as it is stored, in pixels, before ``orientation``.
    public let size: PixelSize
    /// The turn that brings the stored picture upright, clockwise.
    public let orientation: Orientation
    /// Whether left and right change places after that.
    public let isMirrored: Bool
    /// What it says of itself, from EXIF and XMP and, in a PNG, texts. What makes no sense is left out.
    public let metadata: Metadata
    /// The small JPEG that the file holds beside its picture.
    public let thumbnail: [UInt8]?
    /// How many samples a pixel of a JPEG has on average.
    private let samplesPerPixel: Double
    /// Whether a JPEG is decoded only when all of it was read, as a progressive one is.
    private let hasSeveralScans: Bool

    /// Whether bytes begin as a file of one of the kinds does.
    public static func kind(of bytes: some Collection<UInt8>) -> Kind? {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return .jpeg }
        return bytes.starts(with: PNGChunks.signature) ? .png : nil
    }

    /// Reads what a whole file says, or the beginning of one, up to its picture.
    ///
    /// - Throws: ``ObscuraError/Code/damaged`` for what is no JPEG or PNG, or says no size. Damaged metadata
    ///   are no error: they are left out.
    public init(_ bytes: [UInt8]) throws(ObscuraError) {
        guard let kind = Self.kind(of: bytes) else {
            throw .damaged("still", "it is neither a JPEG nor a PNG")
        }
        self.kind = kind
        let parts = kind == .jpeg ? JPEGSegments.parts(of: bytes) : PNGChunks.parts(of: bytes)
        guard let size = parts.size, size.width > 0, size.height > 0 else {
            throw .damaged(kind == .jpeg ? "JPEG" : "PNG", "it ends before it says its size")
        }
        self.size = size
        (samplesPerPixel, hasSeveralScans) = (parts.samplesPerPixel, parts.hasSeveralScans)
        let fields = parts.exif.flatMap { try? LibExif.decode($0) } ?? ExifFields()
        (orientation, isMirrored) = fields.turn
        thumbnail = fields.thumbnail
        // What has room for every character weighs more than what has not.
        var metadata = Metadata(fields).merging(parts.texts)
        if let xmp = parts.xmp {
            let said = XMPPacket.read(xmp)
            // Where there is no description, EXIF may have the title in its place.
            if said.title != nil, said.description == nil, metadata.description == said.title {
                metadata.description = nil
            }
            metadata = metadata.merging(said)
        }
        self.metadata = metadata
    }

    /// The size, upright.
    package var uprightSize: PixelSize { orientation.isTransposed ? size.transposed : size }

    /// The size, upright, at which ``Still/init(_:_:fitting:)`` decodes it.
    package func decodedSize(fitting box: PixelSize?) -> PixelSize {
        kind == .jpeg ? JPEGDecoder.decodedSize(of: uprightSize, fitting: box) : uprightSize
    }

    /// An upper bound of the memory that ``Still/init(_:_:fitting:)`` takes beside the file, in bytes.
    package func decodingBytes(fitting box: PixelSize?) -> Int {
        let decoded = decodedSize(fitting: box).pixelCount
        // What has neither 1 nor 3 components, or is sampled in a rare way, becomes BGRA.
        let isPlanar = kind == .jpeg && [1, 1.5, 2, 3].contains(samplesPerPixel)
        let copies = orientation != .up || isMirrored ? 2 : 1
        let samples = Int(Double(decoded) * (isPlanar ? samplesPerPixel : 4)) * copies
        // libjpeg-turbo keeps coefficients of 16 bits.
        return samples + (hasSeveralScans ? Int(Double(size.pixelCount) * samplesPerPixel * 2) : 0)
    }

    /// Reads a file's.
    ///
    /// - Throws: ``ObscuraError/Code/unreadable`` when there is no such file, or it may not be read; and as
    ///   ``init(_:)``.
    public init(contentsOf path: String) throws(ObscuraError) {
        try self.init(StillFile.beginning(of: path))
    }
}
