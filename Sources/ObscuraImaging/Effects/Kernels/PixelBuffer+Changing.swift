// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension PixelBuffer {
    /// Returns a copy of a BGRA picture with each row modified by `body`, in bands on idle cores.
    func changingRows(
        _ context: EffectContext, _ body: @escaping @Sendable (inout MutableSpan<UInt8>, Int) -> Void
    ) throws -> PixelBuffer {
        try changing(context) { row, count, y in
            var span = MutableSpan(_unsafeStart: row, count: count)
            body(&span, y)
        }
    }

    /// Returns a copy of a BGRA picture with each pixel modified by `body`, in bands on idle cores.
    func changingPixels(
        _ context: EffectContext, _ body: @escaping @Sendable (inout BGRAPixel, Int, Int) -> Void
    ) throws -> PixelBuffer {
        try changing(context) { row, count, y in
            row.withMemoryRebound(to: BGRAPixel.self, capacity: count / 4) { pixels in
                for x in 0..<(count / 4) { body(&pixels[x], x, y) }
            }
        }
    }

    private func changing(
        _ context: EffectContext, _ body: @escaping @Sendable (UnsafeMutablePointer<UInt8>, Int, Int) -> Void
    ) throws -> PixelBuffer {
        var target = try makeResult(context)
        try withRows(&target) { planes in
            let (from, to) = planes[0]
            from.forEachBand { band in
                for y in band {
                    from.copy(y..<(y + 1), to: to)
                    body(to.row(y), to.byteCount, y)
                }
            }
        }
        return target
    }
}
