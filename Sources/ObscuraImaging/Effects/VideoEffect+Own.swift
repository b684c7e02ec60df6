// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension VideoEffect {
    /// One's own effect, pixel by pixel, on all cores:
    ///
    /// ```swift
    /// let warm = VideoEffect.pixels("warm") { pixel, x, y in
    ///     pixel.red = UInt8(clamping: Int(pixel.red) + 30)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: for messages and lists.
    ///   - body: changes a pixel. `x` is counted from the left, `y` from the top of the upright picture. It is called
    ///     on several threads at once, in no order.
    public static func pixels(
        _ name: String, _ body: @escaping @Sendable (_ pixel: inout BGRAPixel, _ x: Int, _ y: Int) -> Void
    ) -> VideoEffect {
        VideoEffect(name: name, renderer: PixelRenderer(body: body))
    }

    /// One's own effect, row by row, on all cores: quicker than pixel by pixel, and it knows the frame's time.
    ///
    /// ```swift
    /// let scanlines = VideoEffect.rows("scanlines") { row, y, _ in
    ///     guard y % 2 == 1 else { return }
    ///     for place in row.indices where place % 4 != 3 { row[place] /= 2 }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: for messages and lists.
    ///   - body: changes a row of pixels, each of which is four bytes: blue, green, red, alpha. `y` is counted from the
    ///     top of the upright picture. It is called on several threads at once, in no order.
    public static func rows(
        _ name: String,
        _ body: @escaping @Sendable (_ row: inout MutableSpan<UInt8>, _ y: Int, _ context: EffectContext) -> Void
    ) -> VideoEffect {
        VideoEffect(name: name, renderer: RowRenderer(body: body))
    }
}

/// What a user wrote for a pixel.
private struct PixelRenderer: EffectRenderer {
    let body: @Sendable (inout BGRAPixel, Int, Int) -> Void

    func accepts(_ format: PixelFormat) -> Bool { format == .bgra }

    func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer {
        try source.changingPixels(context, body)
    }
}

/// What a user wrote for a row.
private struct RowRenderer: EffectRenderer {
    let body: @Sendable (inout MutableSpan<UInt8>, Int, EffectContext) -> Void

    func accepts(_ format: PixelFormat) -> Bool { format == .bgra }

    func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer {
        try source.changingRows(context) { body(&$0, $1, context) }
    }
}
