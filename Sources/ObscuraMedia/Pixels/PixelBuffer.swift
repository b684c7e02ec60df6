// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A frame in memory: planes, strides and a color space.
///
/// A value type with shared storage: copies are cheap and refer to the same memory. If several values refer to the
/// same memory, writing to one of the values first copies the memory. The memory may belong to a kernel driver or a
/// decoder, and is released with the last value that refers to the memory.
public struct PixelBuffer: Sendable {
    /// The pixel format.
    public let format: PixelFormat
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// The color space; can be set if the source reports no color space, or the wrong color space.
    public var colorSpace: ColorSpace

    /// The DMA-BUF descriptors of a camera's buffer, one for each memory plane, for a GPU or an encoder that uses the
    /// frame without a copy. Empty if the memory does not belong to a camera, or if the driver does not support
    /// DMA-BUF.
    ///
    /// The descriptors are created on the first access, which must happen while the camera runs. The buffer owns the
    /// descriptors, and closes them when the last copy of the buffer is released. Duplicate a descriptor to use it
    /// longer.
    public var dmaDescriptors: [Int32] { storage.dmaDescriptors }

    var storage: PixelStorage
    /// The lease of the reader that holds this buffer.
    package var lease: (any AnyObject & Sendable)?

    /// Creates a buffer of zeros in new memory. Without a color space, YUV formats get ``ColorSpace/assumed``, other
    /// formats ``ColorSpace/sRGB``.
    ///
    /// - Throws: ``ObscuraError/Code/invalidSize`` if the width or height is not in 1...32768, or if the format is
    ///   compressed; ``ObscuraError/Code/outOfMemory``.
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

    /// Creates a buffer over existing memory.
    ///
    /// - Precondition: the storage has the planes that `format` requires, each large enough.
    package init(
        storage: PixelStorage, format: PixelFormat, width: Int, height: Int, colorSpace: ColorSpace? = nil
    ) {
        self.storage = storage
        self.format = format
        self.width = width
        self.height = height
        self.colorSpace = colorSpace ?? (format.isYUV ? .assumed : .sRGB)
    }

    /// The size, in pixels.
    public var size: PixelSize { PixelSize(width: width, height: height) }

    /// The number of planes.
    public var planeCount: Int { storage.planes.count }

    /// Returns the distance between the starts of two successive rows of a plane, in bytes.
    public func bytesPerRow(ofPlane plane: Int) -> Int {
        storage.planes[plane].bytesPerRow
    }

    /// The number of rows and of bytes per row of each plane, without padding. The rows in memory may have padding;
    /// see ``bytesPerRow(ofPlane:)``.
    public var planes: [PlaneLayout] {
        format.planes(width: width, height: height)
    }

    /// The size of the planes without padding, in bytes.
    public var packedByteCount: Int { format.packedByteCount(width: width, height: height) }

    /// Returns the bytes of all planes, one plane after the other, row by row without padding, as in a raw video file.
    public func packedBytes() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: packedByteCount)
        copyPackedBytes(to: &bytes, at: 0)
        return bytes
    }

    /// Whether both values refer to the same memory.
    public func isIdentical(to other: PixelBuffer) -> Bool {
        storage === other.storage
    }

    /// Whether the memory belongs to a pool; if not, it may be one of a driver's few buffers.
    package var isPooled: Bool { storage.pool != nil }

    /// The number of pixel buffers that currently exist in this process; copies that share memory count as one.
    public static var liveCount: Int { PixelStorage.liveCount }

    /// Makes the memory writable by a copy, if needed, whose rows have the same distance as those of the original.
    package mutating func makeWritableWithSameRows() throws(ObscuraError) {
        if isKnownUniquelyReferenced(&storage), storage.isWritable { return }
        var copy = try copyWithSameRows()
        copy.lease = lease
        self = copy
    }

    mutating func makeWritable() throws(ObscuraError) {
        if isKnownUniquelyReferenced(&storage), storage.isWritable { return }
        // In the same pool and for the same reader, so that the lease continues.
        var copy = try copy(in: storage.pool?.copies ?? storage.pool)
        copy.lease = lease
        self = copy
    }
}
