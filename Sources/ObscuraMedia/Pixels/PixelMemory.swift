// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A block of memory for the planes of one buffer, with 64-byte aligned rows and planes.
struct PixelMemory: @unchecked Sendable {  // The block is owned by exactly one storage or pool slot.
    static let alignment = 64

    let base: UnsafeMutableRawPointer
    let byteCount: Int

    /// Allocates uninitialized memory; returns nil if there is none.
    init?(byteCount: Int) {
        var pointer: UnsafeMutableRawPointer?
        // SIMD code may read one vector past the end of the last row.
        let padded = max(byteCount, 1) + Self.alignment
        guard posix_memalign(&pointer, Self.alignment, padded) == 0, let pointer else { return nil }
        base = pointer
        self.byteCount = byteCount
    }

    func deallocate() {
        free(base)
    }

    func clear() {
        memset(base, 0, byteCount + Self.alignment)
    }

    /// Returns the offset, row length and size of each plane, and the total size; nil if the sizes overflow or are
    /// invalid.
    static func layout(
        format: PixelFormat, width: Int, height: Int
    ) -> (planes: [(offset: Int, bytesPerRow: Int, byteCount: Int)], byteCount: Int)? {
        guard !format.isCompressed, (1...32768).contains(width), (1...32768).contains(height) else { return nil }
        var offset = 0
        let planes = format.planes(width: width, height: height).map { plane in
            let bytesPerRow = (plane.rowBytes + alignment - 1) / alignment * alignment
            defer { offset += bytesPerRow * plane.rows }
            return (offset, bytesPerRow, bytesPerRow * plane.rows)
        }
        return (planes, offset)
    }
}
