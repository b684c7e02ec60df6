// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

extension VideoEffect {
    /// Blends an image over each frame, such as a logo, a border or a crosshair.
    ///
    /// Each pixel becomes α·layer + (1 − α)·frame, rounded to nearest, where α is the layer's alpha times `opacity`.
    /// The layer must have straight alpha, as in PNG files: its colors are not multiplied by its alpha. YUV frames
    /// remain YUV; a subsampled chroma sample becomes the mean of the blended values of its pixels. The frame's alpha
    /// is unchanged.
    ///
    /// - Parameters:
    ///   - layer: the image, in any uncompressed format. Images in formats without alpha are opaque.
    ///   - placement: the position in the upright frame; parts of the layer outside the frame are ignored.
    ///   - opacity: 0 (invisible) to 1.
    public static func overlay(
        _ layer: PixelBuffer, at placement: OverlayPlacement = .topLeft, opacity: Double = 1
    ) -> VideoEffect {
        let made = Lock<PixelBuffer?>(nil)
        return VideoEffect(
            name: "overlay",
            renderer: OverlayEffect(placement: placement, opacity: opacity) { _ in
                try made.withLock { made in
                    if let made { return made }
                    let picture = try OverlayEffect.withAlpha(layer)
                    made = picture
                    return picture
                }
            })
    }

    /// Blends an image that a closure makes for each frame, such as boxes around faces, a gauge or a map.
    ///
    /// - Parameters:
    ///   - placement: the position in the upright frame; parts of the layer outside the frame are ignored.
    ///   - opacity: 0 (invisible) to 1.
    ///   - layer: returns the image for a frame, in any uncompressed format; nil for no image. Images in formats
    ///     without alpha are opaque. Called once per frame, on threads of Obscura.
    public static func overlay(
        at placement: OverlayPlacement = .topLeft, opacity: Double = 1,
        _ layer: @escaping @Sendable (EffectContext) -> PixelBuffer?
    ) -> VideoEffect {
        VideoEffect(
            name: "overlay",
            renderer: OverlayEffect(placement: placement, opacity: opacity) { context in
                try layer(context).map { try OverlayEffect.withAlpha($0) }
            })
    }
}

/// The renderer of an overlay.
package struct OverlayEffect: EffectRenderer {
    let placement: OverlayPlacement
    /// The opacity, 0 to 255.
    let opacity: Int
    let layer: @Sendable (PixelSize, EffectContext) throws -> PixelBuffer?

    /// - Parameter layer: returns the BGRA or RGBA layer for a frame of this size.
    init(
        placement: OverlayPlacement, opacity: Double = 1,
        sized layer: @escaping @Sendable (PixelSize, EffectContext) throws -> PixelBuffer?
    ) {
        self.placement = placement
        // NaN is invisible.
        self.opacity = opacity > 0 ? Int((min(opacity, 1) * 255).rounded()) : 0
        self.layer = layer
    }

    package init(
        placement: OverlayPlacement, opacity: Double = 1,
        _ layer: @escaping @Sendable (EffectContext) throws -> PixelBuffer?
    ) {
        self.init(placement: placement, opacity: opacity, sized: { try layer($1) })
    }

    package func accepts(_ format: PixelFormat) -> Bool {
        switch format {
        case .bgra, .rgba, .i420, .i422, .i444, .nv12, .nv21, .nv16: true
        default: false
        }
    }

    package func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer {
        try render(source, context, with: .best)
    }

    /// Renders the effect with the kernels of a variant.
    package func render(
        _ source: PixelBuffer, _ context: EffectContext, with kernels: EffectKernels
    ) throws -> PixelBuffer {
        guard opacity > 0, let layer = try layer(source.size, context) else { return source }
        let x = placement.x.offset(of: layer.width, in: source.width)
        let y = placement.y.offset(of: layer.height, in: source.height)
        let rect = PixelRect(x: x, y: y, width: layer.width, height: layer.height)
        guard let part = rect.clipped(to: source.size, .bgra) else { return source }
        let seen = PixelRect(x: part.x - x, y: part.y - y, width: part.width, height: part.height)
        var target = try source.makeResult(context)
        try kernels.overlay(
            layer.view(of: seen), x: part.x, y: part.y, opacity: opacity, on: source, into: &target)
        return target
    }

    /// Returns the layer as BGRA or RGBA.
    static func withAlpha(_ layer: PixelBuffer) throws -> PixelBuffer {
        if layer.format == .bgra || layer.format == .rgba { return layer }
        return try ImageTransformer.transform(layer, ImageRequest(pixelFormat: .bgra))
    }
}
