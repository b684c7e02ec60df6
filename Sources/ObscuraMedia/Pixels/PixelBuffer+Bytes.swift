// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

extension PixelBuffer {
    /// Runs `body` with the bytes of one plane, read-only: `bytesPerRow(ofPlane:)` x rows; the last row
    /// may lack its padding.
    ///
    /// - Precondition: `plane` is below ``planeCount``.
    public func withBytes<R, E: Error>(ofPlane plane: Int, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        let memory = storage.planes[plane]
        let span = RawSpan(_unsafeStart: memory.base, byteCount: memory.byteCount)
        return try body(span)
    }

    /// Runs `body` with the bytes of one plane, to read and to write.
    ///
    /// If anybody else holds the picture, or its storage may not be written (a decoder's reference
    /// picture, a kernel's buffer that others lease), it is first copied: into the pool it came from,
    /// or into new memory.
    ///
    /// - Throws: ``ObscuraError`` when there is no room for the copy.
    /// - Precondition: `plane` is below ``planeCount``.
    public mutating func withMutableBytes<R>(
        ofPlane plane: Int, _ body: (inout MutableRawSpan) throws -> R
    ) throws -> R {
        try makeWritable()
        let memory = storage.planes[plane]
        var span = MutableRawSpan(_unsafeStart: memory.base, byteCount: memory.byteCount)
        return try body(&span)
    }

    /// Runs `body` with the planes as pointers, valid only for the duration of the closure. For C.
    package func withPlanes<R, E: Error>(_ body: ([PixelStorage.Plane]) throws(E) -> R) throws(E) -> R {
        let result = try body(storage.planes)
        withExtendedLifetime(storage) {}
        return result
    }

    /// As ``withPlanes(_:)``, for writing, after the copy that writing may need.
    package mutating func withMutablePlanes<R, E: Error>(
        _ body: ([PixelStorage.Plane]) throws(E) -> R
    ) throws -> R {
        try makeWritable()
        return try withPlanes(body)
    }

    /// The same memory as a loan that may not be written, and that tells when its last reference is gone.
    package func lent(onReturn: @escaping @Sendable () -> Void) -> PixelBuffer {
        let lender = storage
        let loan = PixelStorage(
            planes: lender.planes, dmaDescriptors: lender.dmaDescriptors, pool: lender.pool, mayWrite: { false }
        ) {
            withExtendedLifetime(lender) { onReturn() }
        }
        return PixelBuffer(storage: loan, format: format, width: width, height: height, colorSpace: colorSpace)
    }

    /// A copy in new memory, or in `pool`. It does not count as held by the reader of the original.
    ///
    /// - Throws: ``ObscuraError`` when there is no room.
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

    /// Writes all of `picture`, of the same format, over a part of this one.
    ///
    /// - Throws: ``ObscuraError`` when there is no room for the copy that writing may need, or if it sticks out or
    ///   begins within a block of pixels that share their chroma.
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

    /// Copies the planes, row after row without padding, to `offset`.
    ///
    /// - Precondition: there is room for ``packedByteCount`` bytes.
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
