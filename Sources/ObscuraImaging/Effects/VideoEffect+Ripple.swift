// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension VideoEffect {
    /// Refracts the frame through a water surface; see ``Ripple``.
    ///
    /// Where the water slopes by s, a pixel is seen from depth·s away (Snell's law for small angles), mixed of four
    /// pixels by distance. Beyond its edges the picture goes on with its outermost pixels.
    public static func ripple(_ ripple: Ripple) -> VideoEffect {
        let effect = RippleEffect(ripple: ripple)
        return VideoEffect(name: "ripple", key: ObjectIdentifier(ripple), renderer: effect)
    }
}

/// A picture seen through water.
private struct RippleEffect: EffectRenderer {
    /// Also keeps the identity that effects are compared by.
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
