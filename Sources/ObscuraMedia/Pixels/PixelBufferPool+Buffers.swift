// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension PixelBufferPool {
    /// Returns a buffer with uninitialized bytes.
    ///
    /// - Throws: ``ObscuraError/Code/poolExhausted`` if ``capacity`` buffers are in use;
    ///   ``ObscuraError/Code/invalidSize``; ``ObscuraError/Code/outOfMemory``.
    public func makeBuffer(
        format: PixelFormat, width: Int, height: Int, colorSpace: ColorSpace? = nil
    ) throws(ObscuraError) -> PixelBuffer {
        guard let layout = PixelMemory.layout(format: format, width: width, height: height) else {
            throw .invalidSize(format: format, width: width, height: height)
        }
        let memory = try take(byteCount: layout.byteCount)
        let storage = PixelStorage(
            planes: memory.planes(layout.planes), pool: self, owner: PooledMemory(memory, of: self))
        return PixelBuffer(storage: storage, format: format, width: width, height: height, colorSpace: colorSpace)
    }
}

extension PixelBuffer {
    /// Returns an uninitialized buffer from `pool` or, without a pool, a buffer of zeros in new memory.
    package static func make(
        in pool: PixelBufferPool?, format: PixelFormat, width: Int, height: Int, colorSpace: ColorSpace? = nil
    ) throws(ObscuraError) -> PixelBuffer {
        if let pool {
            return try pool.makeBuffer(format: format, width: width, height: height, colorSpace: colorSpace)
        }
        return try PixelBuffer(format: format, width: width, height: height, colorSpace: colorSpace)
    }
}

/// Memory of a pool, which gets it back.
private final class PooledMemory: PixelMemoryOwner {
    private let memory: PixelMemory
    private let pool: PixelBufferPool

    init(_ memory: PixelMemory, of pool: PixelBufferPool) {
        self.memory = memory
        self.pool = pool
    }

    deinit {
        pool.giveBack(memory)
    }
}
