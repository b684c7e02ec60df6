// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoEffect {
    /// Pixelates the frame: replaces squares by the mean of their pixels, rounded to nearest.
    ///
    /// The squares begin at the top left; those at the right and bottom edges may be smaller.
    ///
    /// - Parameter side: the side of a square, in pixels; 1 or less leaves the frame unchanged.
    public static func pixellate(side: Int) -> VideoEffect {
        let effect = BlockEffect(side: side, regions: nil)
        return VideoEffect(name: "pixellate", key: effect.side, renderer: effect)
    }

    /// Pixelates parts of the frame with squares of one color each:
    ///
    /// ```swift
    /// let plate = PixelRect(x: 300, y: 520, width: 200, height: 60)
    /// output.connection.effects = [.mosaic(side: 24) { _ in [plate] }]
    /// ```
    ///
    /// The squares begin at the top left corner of each region. In formats such as 4:2:0,
    /// neighboring pixels share chroma; a region whose edge separates such pixels is extended by a pixel.
    ///
    /// - Parameters:
    ///   - side: the side of a square, in pixels; 1 or less leaves the frame unchanged.
    ///   - regions: returns the regions, in pixels of the upright frame; parts outside the frame are ignored. Called
    ///     once per frame, on threads of Obscura.
    public static func mosaic(
        side: Int, regions: @escaping @Sendable (EffectContext) -> [PixelRect]
    ) -> VideoEffect {
        VideoEffect(name: "mosaic", renderer: BlockEffect(side: side, regions: regions))
    }
}

/// The renderer of pixelation, for the whole frame or parts of it.
package struct BlockEffect: EffectRenderer {
    let side: Int
    let regions: (@Sendable (EffectContext) -> [PixelRect])?

    package init(side: Int, regions: (@Sendable (EffectContext) -> [PixelRect])?) {
        // Larger than any frame, and even.
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
    /// Returns the part of the rectangle inside the frame, aligned to chroma blocks; nil if it is empty.
    func clipped(to size: PixelSize, _ format: PixelFormat) -> PixelRect? {
        guard let part = clipped(to: size) else { return nil }
        let (columns, rows) = format.chromaSubsampling
        let (dx, dy) = (part.x % columns, part.y % rows)
        return PixelRect(x: part.x - dx, y: part.y - dy, width: part.width + dx, height: part.height + dy)
    }
}
