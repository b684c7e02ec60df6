// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A photo: its picture, upright, and what it says of itself.
///
/// ```swift
/// var photo = try Still(contentsOf: "photo.jpg")
/// photo.picture = try StillRecipe([.straighten(degrees: 2.5)]).apply(to: photo.picture)
/// try await photo.write(to: "straight.jpg")
/// ```
public struct Still: Sendable {
    /// The picture, upright.
    public var picture: PixelBuffer
    /// What it says of itself.
    public var metadata: Metadata

    /// A photo of a picture.
    public init(_ picture: PixelBuffer, metadata: Metadata = Metadata()) {
        self.picture = picture
        self.metadata = metadata
    }

    /// Reads a JPEG or a PNG, and brings it upright by what its EXIF says. Blocks while it does.
    ///
    /// - Throws: ``ObscuraError``: `unreadable`, `damaged`, `tooLarge`, `outOfMemory`.
    public init(contentsOf path: String) throws {
        do {
            try self.init(StillFile.whole(of: path))
        } catch let error as ObscuraError where error.code != .unreadable && error.code != .tooLarge {
            throw error.about(path)
        }
    }

    /// The photo whose file has these bytes.
    ///
    /// - Throws: as ``init(contentsOf:)``.
    public init(_ bytes: [UInt8]) throws {
        try self.init(bytes, fitting: nil)
    }

    /// The photo whose file has these bytes, decoded at a part of its size where that is enough.
    ///
    /// - Parameters:
    ///   - info: what the file says of itself, if that was read already.
    ///   - size: what the picture will be fitted in, its aspect ratio kept; it may come larger than that.
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

    /// The file of the photo.
    ///
    /// - Throws: as ``StillEncoder/encode(_:_:)``.
    public func encoded(as format: StillFormat = .jpeg()) throws -> [UInt8] {
        try StillEncoder(format).encode(picture, StillProperties(metadata: metadata))
    }

    /// Writes the file. Under its name it is never seen in part; folders that are missing are made.
    ///
    /// Suspends while a thread of our own encodes it and waits for the disk.
    ///
    /// - Parameters:
    ///   - format: nil goes by the ending of `path`: PNG for `.png`, JPEG for all others.
    ///   - overwrites: whether a file that is there is replaced.
    /// - Throws: as ``encoded(as:)``, and `ObscuraError`: `fileExists`, `diskFull`, `notWritable`; then there is no new
    ///   file, and one that was there is as it was.
    nonisolated(nonsending) public func write(
        to path: String, as format: StillFormat? = nil, overwrites: Bool = false
    ) async throws {
        let usual: StillFormat = path.lowercased().hasSuffix(".png") ? .png() : .jpeg()
        try await PhotoFile.write(to: path, overwrites: overwrites) { [self] in try encoded(as: format ?? usual) }
    }
}
