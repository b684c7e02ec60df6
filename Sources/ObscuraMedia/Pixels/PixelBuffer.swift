// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A picture in memory: planes, strides, and what its numbers mean as colours.
///
/// A value with shared storage: copies are cheap and refer to the same memory, and writing makes a
/// copy of it first unless this is the only reference. The memory may be a kernel's buffer or a
/// decoder's picture; it goes home when the last value that refers to it is gone.
public struct PixelBuffer: Sendable {
    /// How the bytes lie in memory.
    public let format: PixelFormat
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// What the samples mean; may be set where one knows better than the source.
    public var colorSpace: ColorSpace

    /// The DMA-BUF descriptors of a camera's buffer, one for each of its memories, for a GPU or an encoder that
    /// takes the picture without a copy. Made when they are first asked for, while the camera runs. They are valid as long as a value refers to the picture, and belong to
    /// it: duplicate what is to live longer. Empty for other memory.
    public var dmaDescriptors: [Int32] { storage.dmaDescriptors() }

    var storage: PixelStorage
    /// Keeps the account of the reader that holds this picture.
    package var lease: (any AnyObject & Sendable)?

    /// A picture of zeros in new memory.
    ///
    /// - Throws: ``ObscuraError/Code/invalidSize`` if a side is not in 1...32768 or the format is compressed,
    ///   ``ObscuraError/Code/outOfMemory``.
    public init(
        format: PixelFormat, width: Int, height: Int, colorSpace: ColorSpace? = nil
    ) throws(ObscuraError) {
        guard let layout = PixelMemory.layout(format: format, width: width, height: height) else {
            throw .invalidSize(format: format, width: width, height: height)
        }
        guard let memory = PixelMemory(byteCount: layout.byteCount) else {
            throw .outOfMemory(byteCount: layout.byteCount)
        }
        memory.clear()
        let storage = PixelStorage(planes: memory.planes(layout.planes)) { memory.deallocate() }
        self.init(storage: storage, format: format, width: width, height: height, colorSpace: colorSpace)
    }

    /// A picture over memory that somebody else provides.
    ///
    /// - Precondition: the storage has the planes that `format` asks for, each large enough.
    package init(
        storage: PixelStorage, format: PixelFormat, width: Int, height: Int, colorSpace: ColorSpace? = nil
    ) {
        self.storage = storage
        self.format = format
        self.width = width
        self.height = height
        self.colorSpace = colorSpace ?? (format.isYUV ? .assumed : .sRGB)
    }

    /// Width and height.
    public var size: PixelSize { PixelSize(width: width, height: height) }

    /// How many planes there are.
    public var planeCount: Int { storage.planes.count }

    /// Distance between the beginnings of two rows, in bytes.
    public func bytesPerRow(ofPlane plane: Int) -> Int {
        storage.planes[plane].bytesPerRow
    }

    /// The shape of each plane without padding.
    public var planes: [PlaneLayout] {
        format.planes(width: width, height: height)
    }

    /// How many bytes the planes have without padding.
    public var packedByteCount: Int {
        planes.reduce(0) { $0 + $1.rowBytes * $1.rows }
    }

    /// The planes one after the other, each row after row without padding: how raw video is stored.
    public func packedBytes() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: packedByteCount)
        copyPackedBytes(to: &bytes, at: 0)
        return bytes
    }

    /// Whether both values refer to the same memory.
    public func isIdentical(to other: PixelBuffer) -> Bool {
        storage === other.storage
    }

    /// Whether it lies in a pool of ours; if not, its memory may be one of a few buffers of a driver.
    package var isPooled: Bool { storage.pool != nil }

    /// How many pictures are in memory in this process.
    public static var liveCount: Int { PixelStorage.liveCount }

    mutating func makeWritable() throws(ObscuraError) {
        if isKnownUniquelyReferenced(&storage), storage.isWritable { return }
        // In the same pool and for the same reader: its hold goes on.
        var copy = try copy(in: storage.pool?.copies ?? storage.pool)
        copy.lease = lease
        self = copy
    }
}
