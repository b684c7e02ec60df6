// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A photo: its upright picture and its metadata.
///
/// ```swift
/// var photo = try Still(contentsOf: "photo.jpg")
/// photo.picture = try StillRecipe([.straighten(degrees: 2.5)]).apply(to: photo.picture)
/// try await photo.write(to: "straight.jpg")
/// ```
public struct Still: Sendable {
    /// The picture, upright.
    public var picture: PixelBuffer
    /// The metadata.
    public var metadata: Metadata

    /// Creates a photo from an upright picture.
    public init(_ picture: PixelBuffer, metadata: Metadata = Metadata()) {
        self.picture = picture
        self.metadata = metadata
    }

    /// Reads a JPEG or PNG file, and rotates the picture upright by the EXIF orientation of the file. Blocks the
    /// calling thread.
    ///
    /// - Throws: ``ObscuraError``: `unreadable`, `damaged`, `tooLarge`, `outOfMemory`.
    public init(contentsOf path: String) throws {
        do {
            try self.init(StillFile.whole(of: path))
        } catch let error as ObscuraError where error.code != .unreadable && error.code != .tooLarge {
            throw error.about(path)
        }
    }

    /// Decodes the bytes of a JPEG or PNG file, and rotates the picture upright by the EXIF orientation of the file.
    ///
    /// - Throws: as ``init(contentsOf:)-(String)``.
    public init(_ bytes: [UInt8]) throws {
        try self.init(bytes, fitting: nil)
    }

    /// Decodes the bytes of a photo's file, at a reduced size if that is sufficient.
    ///
    /// - Parameters:
    ///   - info: the file's metadata, if already read.
    ///   - size: the size into which the picture will be fitted; the result may be larger.
    package init(_ bytes: [UInt8], _ info: StillInfo? = nil, fitting size: PixelSize?) throws {
        let info = try info ?? StillInfo(bytes)
        let stored =
            switch info.kind {
            case .jpeg:
                try JPEGDecoder.decode(
                    bytes.span.bytes, fitting: info.orientation.isTransposed ? size?.transposed : size,
                    limit: PixelSize(width: JPEGDecoder.sizeLimit, height: JPEGDecoder.sizeLimit))
            case .png: try PNGDecoder.decode(bytes)
            }
        var request = ImageRequest()
        request.orientation = info.orientation
        request.isMirrored = info.isMirrored
        picture = try ImageTransformer.transform(stored, request)
        metadata = info.metadata
    }

    /// Encodes the photo as a file.
    ///
    /// - Throws: as ``StillEncoder/encode(_:_:)``.
    public func encoded(as format: StillFormat = .jpeg()) throws -> [UInt8] {
        try StillEncoder(format).encode(picture, StillProperties(metadata: metadata))
    }

    /// Writes the photo to a file, atomically; creates missing folders.
    ///
    /// Suspends while a separate thread encodes and writes.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - format: the format; nil for PNG if `path` ends in `.png`, otherwise JPEG.
    ///   - overwrites: whether to replace an existing file.
    /// - Throws: as ``encoded(as:)``, and ``ObscuraError``: `invalidPath`, `fileExists`, `diskFull`, `notWritable`,
    ///   `writingFailed`. After an error, an existing file is unchanged.
    nonisolated(nonsending) public func write(
        to path: String, as format: StillFormat? = nil, overwrites: Bool = false
    ) async throws {
        let usual: StillFormat = path.lowercased().hasSuffix(".png") ? .png() : .jpeg()
        try await PhotoFile.write(to: path, overwrites: overwrites) { [self] in try encoded(as: format ?? usual) }
    }
}
