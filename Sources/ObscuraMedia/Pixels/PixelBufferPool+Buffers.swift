// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension PixelBufferPool {
    /// A buffer whose bytes are not initialised.
    ///
    /// - Throws: ``ObscuraError/Code/poolExhausted`` when `capacity` buffers are in use,
    ///   ``ObscuraError/Code/invalidSize``, ``ObscuraError/Code/outOfMemory``.
    public func makeBuffer(
        format: PixelFormat, width: Int, height: Int, colorSpace: ColorSpace? = nil
    ) throws(ObscuraError) -> PixelBuffer {
        guard let layout = PixelMemory.layout(format: format, width: width, height: height) else {
            throw .invalidSize(format: format, width: width, height: height)
        }
        let memory = try take(byteCount: layout.byteCount)
        let storage = PixelStorage(planes: memory.planes(layout.planes), pool: self) { [self] in
            giveBack(memory)
        }
        return PixelBuffer(storage: storage, format: format, width: width, height: height, colorSpace: colorSpace)
    }
}

extension PixelBuffer {
    /// A picture with bytes of any value, in `pool` or, without one, zeros in new memory.
    package static func make(
        in pool: PixelBufferPool?, format: PixelFormat, width: Int, height: Int, colorSpace: ColorSpace? = nil
    ) throws(ObscuraError) -> PixelBuffer {
        if let pool {
            return try pool.makeBuffer(format: format, width: width, height: height, colorSpace: colorSpace)
        }
        return try PixelBuffer(format: format, width: width, height: height, colorSpace: colorSpace)
    }
}
