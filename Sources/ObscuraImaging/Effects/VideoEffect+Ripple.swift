// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension VideoEffect {
    /// Refracts the frame through a water surface; see ``Ripple``.
    ///
    /// Each pixel is displaced in proportion to the slope of the water (Snell's law for small angles), with bilinear
    /// interpolation. The outermost pixels are repeated beyond the edges.
    public static func ripple(_ ripple: Ripple) -> VideoEffect {
        let effect = RippleEffect(ripple: ripple)
        return VideoEffect(name: "ripple", key: ObjectIdentifier(ripple), renderer: effect)
    }
}

/// The renderer of refraction.
private struct RippleEffect: EffectRenderer {
    /// The water; its identity is the effect's key.
    let ripple: Ripple

    func accepts(_ format: PixelFormat) -> Bool { format == .bgra || format == .rgba }

    func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer {
        guard let slopes = ripple.slopes(at: context.presentationTime, shape: source.size),
            !slopes.isLevel(for: source.size)
        else { return source }
        var target = try source.makeResult(context)
        try slopes.refract(source, into: &target)
        return target
    }
}
