// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Synchronization

/// The memory of a picture.
///
/// A storage is owned by reference counting. When the last reference goes, `release` gives the memory
/// back to whoever lent it: a pool, a decoder, a kernel's queue.
///
/// `Sendable` is proved by use: the pointers are constant; the bytes are written only through
/// ``PixelBuffer``'s mutating methods, which ask for the only reference first.
package final class PixelStorage: @unchecked Sendable {
    /// One plane: where it begins, how far apart its rows are, how many bytes may be read.
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
    /// The DMA-BUF descriptors of the memory, where it has any; valid until `release`.
    let dmaDescriptors: @Sendable () -> [Int32]
    /// Where a copy is made when the memory may not be written.
    let pool: PixelBufferPool?
    private let mayWrite: @Sendable () -> Bool
    private let release: @Sendable () -> Void

    /// Takes over memory that stays valid and unmoved until `release` is called, once, on any thread.
    ///
    /// - Parameter mayWrite: whether nobody else reads the memory (another lease of a kernel's buffer,
    ///   a decoder that refers to the picture).
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

    /// How many storages are alive in the process: exactly 0 when every picture has gone home.
    package static var liveCount: Int { live.load(ordering: .relaxed) }
    private static let live = Atomic<Int>(0)
}

extension PixelMemory {
    /// The planes of a picture that lies in it.
    func planes(_ layout: [(offset: Int, bytesPerRow: Int, byteCount: Int)]) -> [PixelStorage.Plane] {
        layout.map { PixelStorage.Plane(base: base + $0.offset, bytesPerRow: $0.bytesPerRow, byteCount: $0.byteCount) }
    }
}
