// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

extension PixelBuffer {
    /// Calls `body` with the bytes of one plane, for reading.
    ///
    /// Each row has ``bytesPerRow(ofPlane:)`` bytes, including padding. The padding of the last row may be missing.
    ///
    /// - Precondition: `plane` is below ``planeCount``.
    public func withBytes<R, E: Error>(ofPlane plane: Int, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        let memory = storage.planes[plane]
        let span = RawSpan(_unsafeStart: memory.base, byteCount: memory.byteCount)
        return try body(span)
    }

    /// Calls `body` with the bytes of one plane, for reading and writing.
    ///
    /// The memory is first copied if another value refers to the same memory, or if the memory is not writable. A
    /// camera driver's memory is never writable. A decoded frame is not writable while the decoder uses the frame as
    /// a reference. The copy is made in the pool of the buffer, or in new memory if the buffer has no pool.
    ///
    /// - Throws: ``ObscuraError/Code/poolExhausted`` or ``ObscuraError/Code/outOfMemory`` if there is no memory for the
    ///   copy; the errors of `body`.
    /// - Precondition: `plane` is below ``planeCount``.
    public mutating func withMutableBytes<R>(
        ofPlane plane: Int, _ body: (inout MutableRawSpan) throws -> R
    ) throws -> R {
        try makeWritable()
        let memory = storage.planes[plane]
        var span = MutableRawSpan(_unsafeStart: memory.base, byteCount: memory.byteCount)
        return try body(&span)
    }

    /// Calls `body` with the planes as pointers, valid only during the call. For C.
    package func withPlanes<R, E: Error>(_ body: ([PixelStorage.Plane]) throws(E) -> R) throws(E) -> R {
        let result = try body(storage.planes)
        withExtendedLifetime(storage) {}
        return result
    }

    /// Calls `body` with the planes as pointers, like ``withPlanes(_:)``, for writing, after the copy that writing may
    /// need.
    package mutating func withMutablePlanes<R, E: Error>(
        _ body: ([PixelStorage.Plane]) throws(E) -> R
    ) throws -> R {
        try makeWritable()
        return try withPlanes(body)
    }

    /// Returns a buffer that shares this memory and is not writable; `onReturn` is called when its last reference is
    /// released.
    package func lent(onReturn: @escaping @Sendable () -> Void) -> PixelBuffer {
        let loan = PixelStorage(
            planes: storage.planes, pool: storage.pool, owner: Loan(of: storage, onReturn: onReturn))
        return PixelBuffer(storage: loan, format: format, width: width, height: height, colorSpace: colorSpace)
    }

    /// Returns a copy in memory of `pool`; without a pool, in new memory.
    ///
    /// An output limits the number of frames that your code may hold at once. Copies do not count toward this limit.
    ///
    /// - Throws: ``ObscuraError/Code/poolExhausted``, ``ObscuraError/Code/outOfMemory``.
    public func copy(in pool: PixelBufferPool? = nil) throws(ObscuraError) -> PixelBuffer {
        let copy = try PixelBuffer.make(
            in: pool, format: format, width: width, height: height, colorSpace: colorSpace)
        for (index, layout) in format.planes(width: width, height: height).enumerated() {
            let (from, to) = (storage.planes[index], copy.storage.planes[index])
            for row in 0..<layout.rows {
                memcpy(to.base + row * to.bytesPerRow, from.base + row * from.bytesPerRow, layout.rowBytes)
            }
        }
        return copy
    }

    /// Returns a copy in new memory whose planes have the same distances between rows.
    func copyWithSameRows() throws(ObscuraError) -> PixelBuffer {
        var (places, byteCount): ([(offset: Int, bytesPerRow: Int, byteCount: Int)], Int) = ([], 0)
        for (layout, plane) in zip(planes, storage.planes) {
            let whole = max(plane.byteCount, plane.bytesPerRow * layout.rows)
            places.append((byteCount, plane.bytesPerRow, whole))
            byteCount += (whole + PixelMemory.alignment - 1) / PixelMemory.alignment * PixelMemory.alignment
        }
        guard let memory = PixelMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
        let copy = PixelStorage(planes: memory.planes(places)) { memory.deallocate() }
        for (index, layout) in planes.enumerated() {
            let (from, to) = (storage.planes[index], copy.planes[index])
            for row in 0..<layout.rows {
                memcpy(to.base + row * to.bytesPerRow, from.base + row * from.bytesPerRow, layout.rowBytes)
            }
        }
        return PixelBuffer(storage: copy, format: format, width: width, height: height, colorSpace: colorSpace)
    }

    /// Writes all of `picture`, of the same format, over a part of this buffer.
    ///
    /// - Throws: ``ObscuraError/Code/invalidSize`` if `picture` has another format, extends beyond this buffer, or
    ///   starts within a block of pixels that share their chroma; as ``copy(in:)`` for the copy that writing may need.
    package mutating func paste(_ picture: PixelBuffer, x: Int, y: Int) throws {
        let (across, down) = format.chromaSubsampling
        guard picture.format == format, x >= 0, y >= 0, x % across == 0, y % down == 0, x + picture.width <= width,
            y + picture.height <= height
        else { throw ObscuraError.invalidSize(format: picture.format, width: picture.width, height: picture.height) }
        let offsets = format.planes(width: x, height: y)
        try makeWritable()
        for (index, layout) in picture.planes.enumerated() {
            let (from, to) = (picture.storage.planes[index], storage.planes[index])
            let begin = to.base + offsets[index].rows * to.bytesPerRow + offsets[index].rowBytes
            for row in 0..<layout.rows {
                memcpy(begin + row * to.bytesPerRow, from.base + row * from.bytesPerRow, layout.rowBytes)
            }
        }
    }

    /// Calls `body` with the bytes of all planes without padding, in order, in parts: a plane itself if it has no
    /// padding, else copies of as many rows as fit into a cache.
    package func withPackedParts<E: Error>(_ body: (RawSpan) throws(E) -> Void) throws(E) {
        var copies: [UInt8] = []
        for (index, layout) in planes.enumerated() {
            let plane = storage.planes[index]
            guard plane.bytesPerRow != layout.rowBytes else {
                try body(RawSpan(_unsafeStart: plane.base, byteCount: layout.rows * layout.rowBytes))
                continue
            }
            let most = max(1, Self.partBytes / max(1, layout.rowBytes))
            for first in stride(from: 0, to: layout.rows, by: most) {
                copies.removeAll(keepingCapacity: true)
                for row in first..<min(first + most, layout.rows) {
                    let bytes = UnsafeRawBufferPointer(
                        start: plane.base + row * plane.bytesPerRow, count: layout.rowBytes)
                    copies.append(contentsOf: bytes)
                }
                try body(copies.span.bytes)
            }
        }
        withExtendedLifetime(storage) {}
    }

    /// The size of the copies of ``withPackedParts(_:)``; a core's second-level cache is larger.
    private static let partBytes = 128 << 10

    /// Copies the planes, row by row without padding, to `offset`.
    ///
    /// - Precondition: `bytes` has ``packedByteCount`` bytes after `offset`.
    package func copyPackedBytes(to bytes: inout [UInt8], at offset: Int) {
        precondition(offset >= 0 && offset + packedByteCount <= bytes.count)
        bytes.withUnsafeMutableBytes { target in
            guard var position = target.baseAddress?.advanced(by: offset) else { return }
            for (plane, layout) in zip(storage.planes, planes) {
                for row in 0..<layout.rows {
                    memcpy(position, plane.base + row * plane.bytesPerRow, layout.rowBytes)
                    position += layout.rowBytes
                }
            }
        }
        withExtendedLifetime(storage) {}
    }
}

/// The hold of a lent buffer on the memory of the original.
private final class Loan: PixelMemoryOwner {
    private let lender: PixelStorage
    private let onReturn: @Sendable () -> Void

    init(of lender: PixelStorage, onReturn: @escaping @Sendable () -> Void) {
        self.lender = lender
        self.onReturn = onReturn
    }

    deinit {
        onReturn()
    }

    var dmaDescriptors: [Int32] { lender.dmaDescriptors }
    var mayWrite: Bool { false }
}
