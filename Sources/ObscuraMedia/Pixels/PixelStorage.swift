// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Synchronization

/// The owner of the memory of a pixel buffer. Its end returns the memory: to a pool, a decoder or a kernel queue.
package protocol PixelMemoryOwner: AnyObject, Sendable {
    /// The DMA-BUF descriptors of the memory, if any; valid as long as the owner.
    var dmaDescriptors: [Int32] { get }
    /// Whether the memory has no other readers (another lease of a kernel buffer, or a decoder that references the frame).
    var mayWrite: Bool { get }
}

extension PixelMemoryOwner {
    package var dmaDescriptors: [Int32] { [] }
    package var mayWrite: Bool { true }
}

/// The memory of a pixel buffer.
///
/// Storage is reference counted. The last reference ends its hold on the owner of the memory.
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
    /// The pool for a copy when the memory is not writable.
    let pool: PixelBufferPool?
    private let owner: any PixelMemoryOwner

    /// Creates storage for memory that stays valid and in place as long as `owner`.
    package init(planes: [Plane], pool: PixelBufferPool? = nil, owner: any PixelMemoryOwner) {
        self.planes = planes
        self.pool = pool
        self.owner = owner
        Self.live.add(1, ordering: .relaxed)
    }

    /// Creates storage for memory that stays valid and in place until `release` is called, once, on any thread.
    ///
    /// - Parameter mayWrite: whether the memory has no other readers.
    package convenience init(
        planes: [Plane], mayWrite: @escaping @Sendable () -> Bool = { true }, release: @escaping @Sendable () -> Void
    ) {
        self.init(planes: planes, owner: ClosureOwner(mayWrite: mayWrite, release: release))
    }

    deinit {
        Self.live.subtract(1, ordering: .relaxed)
    }

    var dmaDescriptors: [Int32] { owner.dmaDescriptors }
    var isWritable: Bool { owner.mayWrite }

    /// The number of storages in the process: exactly 0 when every buffer is released.
    package static var liveCount: Int { live.load(ordering: .relaxed) }
    private static let live = Atomic<Int>(0)
}

private final class ClosureOwner: PixelMemoryOwner {
    private let isWritable: @Sendable () -> Bool
    private let release: @Sendable () -> Void

    init(mayWrite: @escaping @Sendable () -> Bool, release: @escaping @Sendable () -> Void) {
        isWritable = mayWrite
        self.release = release
    }

    deinit {
        release()
    }

    var mayWrite: Bool { isWritable() }
}

extension PixelMemory {
    /// Returns the planes of a buffer in this memory.
    func planes(_ layout: [(offset: Int, bytesPerRow: Int, byteCount: Int)]) -> [PixelStorage.Plane] {
        layout.map { PixelStorage.Plane(base: base + $0.offset, bytesPerRow: $0.bytesPerRow, byteCount: $0.byteCount) }
    }
}
