// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension VideoEffect {
    /// Blurs the frame.
    ///
    /// The rows are blurred first, in `passes` passes, then the columns, in as many passes. Each pass replaces each
    /// pixel by the mean of the 2·radius + 1 pixels around it, rounded to nearest. The outermost pixels are repeated
    /// beyond the edges. Three passes approximate a Gaussian with the variance radius·(radius + 1) (P. Kovesi, "Fast
    /// Almost-Gaussian Filtering", 2010). The cost does not depend on the radius.
    ///
    /// Planes of luma and chroma are blurred separately; the radius of subsampled chroma is reduced accordingly.
    ///
    /// - Parameters:
    ///   - radius: the radius in pixels; 0 or less leaves the frame unchanged.
    ///   - passes: the number of passes, at most 16; 0 or less leaves the frame unchanged.
    public static func blur(radius: Int, passes: Int = 3) -> VideoEffect {
        let blur = BlurEffect(radius: max(0, radius), passes: min(max(0, passes), 16))
        return VideoEffect(name: "blur", key: blur, renderer: blur)
    }
}

/// The renderer of the blur, with running sums.
package struct BlurEffect: EffectRenderer, Hashable {
    let radius: Int
    let passes: Int

    package init(radius: Int, passes: Int) {
        self.radius = radius
        self.passes = passes
    }

    package func accepts(_ format: PixelFormat) -> Bool { format.sampleBytes(ofPlane: 0) > 0 }

    package func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer {
        try render(source, context, with: .best)
    }

    /// Renders the effect with the kernels of a variant.
    package func render(
        _ source: PixelBuffer, _ context: EffectContext, with kernels: EffectKernels
    ) throws -> PixelBuffer {
        guard radius > 0, passes > 0 else { return source }
        var target = try source.makeResult(context)
        try kernels.blur(source, into: &target, radius: radius, passes: passes)
        return target
    }
}
