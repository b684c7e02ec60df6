// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoEffect {
    /// Makes squares of one colour each, the mean of their pixels, rounded to the nearest.
    ///
    /// The squares begin at the top left; those at the right and lower edge may be smaller.
    ///
    /// - Parameter side: of a square, in pixels; 1 or less leaves the picture as it is.
    public static func pixellate(side: Int) -> VideoEffect {
        let effect = BlockEffect(side: side, regions: nil)
        return VideoEffect(name: "pixellate", key: effect.side, renderer: effect)
    }

    /// Makes parts of the picture unrecognisable, by squares of one colour each:
    ///
    /// ```swift
    /// let plate = PixelRect(x: 300, y: 520, width: 200, height: 60)
    /// output.connection.effects = [.mosaic(side: 24) { _ in [plate] }]
    /// ```
    ///
    /// The squares begin at the top left of each rectangle. A rectangle grows by a pixel where it would cut pixels
    /// that share their chroma.
    ///
    /// - Parameters:
    ///   - side: of a square, in pixels; 1 or less leaves the picture as it is.
    ///   - regions: where, in pixels of the upright picture. What lies outside of it does not matter. Called once for
    ///     each frame, on threads of the transforms.
    public static func mosaic(
        side: Int, regions: @escaping @Sendable (EffectContext) -> [PixelRect]
    ) -> VideoEffect {
        VideoEffect(name: "mosaic", renderer: BlockEffect(side: side, regions: regions))
    }
}

/// Means of squares, of all of the picture or of parts of it.
package struct BlockEffect: EffectRenderer {
    let side: Int
    let regions: (@Sendable (EffectContext) -> [PixelRect])?

    package init(side: Int, regions: (@Sendable (EffectContext) -> [PixelRect])?) {
        // Longer than any picture, and even.
        self.side = min(max(0, side), 65536)
        self.regions = regions
    }

    package func accepts(_ format: PixelFormat) -> Bool {
        let (columns, rows) = format.chromaSubsampling
        return side <= 1 || (format.sampleBytes(ofPlane: 0) > 0 && side % columns == 0 && side % rows == 0)
    }

    package func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer {
        guard side > 1 else { return source }
        let whole = PixelRect(x: 0, y: 0, width: source.width, height: source.height)
        let parts = (regions.map { $0(context) } ?? [whole]).compactMap { $0.clipped(to: source.size, source.format) }
        guard !parts.isEmpty else { return source }
        var target = try source.makeResult(context)
        try EffectKernels.pixellate(parts, of: source, into: &target, side: side)
        return target
    }
}

extension PixelRect {
    /// What of the rectangle lies in the picture, from the beginning of a block of chroma on; nil for nothing.
    func clipped(to size: PixelSize, _ format: PixelFormat) -> PixelRect? {
        guard width > 0, height > 0 else { return nil }
        let (columns, rows) = format.chromaSubsampling
        let (right, overflowsRight) = x.addingReportingOverflow(width)
        let (bottom, overflowsBottom) = y.addingReportingOverflow(height)
        let left = max(0, x) / columns * columns
        let top = max(0, y) / rows * rows
        let end = (
            x: overflowsRight ? size.width : min(size.width, right),
            y: overflowsBottom ? size.height : min(size.height, bottom)
        )
        guard max(0, x) < end.x, max(0, y) < end.y else { return nil }
        return PixelRect(x: left, y: top, width: end.x - left, height: end.y - top)
    }
}
