// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension VideoEffect {
    /// Creates a custom effect that modifies pixels, on all cores:
    ///
    /// ```swift
    /// let warm = VideoEffect.pixels("warm") { pixel, x, y in
    ///     pixel.red = UInt8(clamping: Int(pixel.red) + 30)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name for messages and lists.
    ///   - body: modifies a pixel. `x` is the column from the left, `y` the row from the top of the upright frame.
    ///     Called on several threads concurrently, in no particular order.
    public static func pixels(
        _ name: String, _ body: @escaping @Sendable (_ pixel: inout BGRAPixel, _ x: Int, _ y: Int) -> Void
    ) -> VideoEffect {
        VideoEffect(name: name, renderer: PixelRenderer(body: body))
    }

    /// Creates a custom effect that modifies rows of pixels, on all cores. The effect is faster than
    /// ``pixels(_:_:)``, and the closure receives the time of the frame:
    ///
    /// ```swift
    /// let scanlines = VideoEffect.rows("scanlines") { row, y, context in
    ///     guard y % 2 == 1 else { return }
    ///     // Index 3 of each pixel is alpha, which stays unchanged.
    ///     for index in row.indices where index % 4 != 3 { row[index] /= 2 }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name for messages and lists.
    ///   - body: modifies a row of pixels of four bytes each: blue, green, red, alpha. `y` is the row from the top of
    ///     the upright frame, `context` has the time of the frame. Called on several threads concurrently, in no
    ///     particular order.
    public static func rows(
        _ name: String,
        _ body: @escaping @Sendable (_ row: inout MutableSpan<UInt8>, _ y: Int, _ context: EffectContext) -> Void
    ) -> VideoEffect {
        VideoEffect(name: name, renderer: RowRenderer(body: body))
    }
}

/// The renderer of a custom effect for pixels.
private struct PixelRenderer: EffectRenderer {
    let body: @Sendable (inout BGRAPixel, Int, Int) -> Void

    func accepts(_ format: PixelFormat) -> Bool { format == .bgra }

    func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer {
        try source.changingPixels(context, body)
    }
}

/// The renderer of a custom effect for rows.
private struct RowRenderer: EffectRenderer {
    let body: @Sendable (inout MutableSpan<UInt8>, Int, EffectContext) -> Void

    func accepts(_ format: PixelFormat) -> Bool { format == .bgra }

    func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer {
        try source.changingRows(context) { body(&$0, $1, context) }
    }
}
