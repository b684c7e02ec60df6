// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension VideoEffect {
    /// Softens the picture.
    ///
    /// Each pixel becomes the mean of the 2·radius + 1 pixels around it in its row, rounded to the nearest, `passes`
    /// times; then the same goes down the columns. Beyond its edges the picture goes on with its outermost pixels.
    /// Three passes come close to a Gauss curve with σ² = radius·(radius + 1) (P. Kovesi, "Fast Almost-Gaussian
    /// Filtering", 2010). What it costs does not depend on the radius.
    ///
    /// Planes of luma and chroma are blurred as they are; where pixels share their chroma, its radius is as many
    /// samples less.
    ///
    /// - Parameters:
    ///   - radius: in pixels; 0 or less leaves the picture as it is.
    ///   - passes: 0 or less leaves the picture as it is, more than 16 count as 16.
    public static func blur(radius: Int, passes: Int = 3) -> VideoEffect {
        let blur = BlurEffect(radius: max(0, radius), passes: min(max(0, passes), 16))
        return VideoEffect(name: "blur", key: blur, renderer: blur)
    }
}

/// Means of running sums.
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

    /// With the kernels of a variant.
    package func render(
        _ source: PixelBuffer, _ context: EffectContext, with kernels: EffectKernels
    ) throws -> PixelBuffer {
        guard radius > 0, passes > 0 else { return source }
        var target = try source.makeResult(context)
        try kernels.blur(source, into: &target, radius: radius, passes: passes)
        return target
    }
}
