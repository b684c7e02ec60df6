// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Synchronization

/// The memory of a pixel buffer.
///
/// Storage is reference counted. With the last reference, `release` returns the memory to its owner: a pool, a decoder
/// or a kernel queue.
///
/// `Sendable` is safe because the pointers are constant, and the bytes are written only through the mutating methods of
/// ``PixelBuffer``, which require the only reference.
package final class PixelStorage: @unchecked Sendable {
    /// A plane: its base address, the distance between rows, and the number of readable bytes.
    package struct Plane {
        package let base: UnsafeMutableRawPointer
        package let bytesPerRow: Int
        package let byteCount: Int

        package init(base: UnsafeMutableRawPointer, bytesPerRow: Int, byteCount: Int) {
            self.base = base
            self.bytesPerRow = bytesPerRow
            self.byteCount = byteCount
        }
    }

    package let planes: [Plane]
    /// The DMA-BUF descriptors of the memory, if any; valid until `release`.
    let dmaDescriptors: @Sendable () -> [Int32]
    /// The pool for a copy when the memory is not writable.
    let pool: PixelBufferPool?
    private let mayWrite: @Sendable () -> Bool
    private let release: @Sendable () -> Void

    /// Creates storage for memory that stays valid and in place until `release` is called, once, on any thread.
    ///
    /// - Parameter mayWrite: whether the memory has no other readers (another lease of a kernel buffer, or a decoder
    ///   that references the frame).
    package init(
        planes: [Plane], dmaDescriptors: @escaping @Sendable () -> [Int32] = { [] }, pool: PixelBufferPool? = nil,
        mayWrite: @escaping @Sendable () -> Bool = { true }, release: @escaping @Sendable () -> Void
    ) {
        self.planes = planes
        self.dmaDescriptors = dmaDescriptors
        self.pool = pool
        self.mayWrite = mayWrite
        self.release = release
        Self.live.add(1, ordering: .relaxed)
    }

    deinit {
        release()
        Self.live.subtract(1, ordering: .relaxed)
    }

    var isWritable: Bool { mayWrite() }

    /// The number of storages in the process: exactly 0 when every buffer is released.
    package static var liveCount: Int { live.load(ordering: .relaxed) }
    private static let live = Atomic<Int>(0)
}

extension PixelMemory {
    /// Returns the planes of a buffer in this memory.
    func planes(_ layout: [(offset: Int, bytesPerRow: Int, byteCount: Int)]) -> [PixelStorage.Plane] {
        layout.map { PixelStorage.Plane(base: base + $0.offset, bytesPerRow: $0.bytesPerRow, byteCount: $0.byteCount) }
    }
}
