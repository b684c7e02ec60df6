// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The steps to a picture with effects, as a pure value: those before the effects, and those after.
struct EffectPlan {
    /// Crops, rotates and mirrors, and converts for the first effect.
    let before: ImageRequest
    let effects: [VideoEffect]
    /// Scales and converts.
    let after: ImageRequest
    /// Everything except ``after``: the cache key of the picture for all sizes and formats.
    let shown: ImageRequest
    /// The format between the effects and ``after``.
    let format: PixelFormat
    let size: PixelSize
    let colorSpace: ColorSpace

    /// - Throws: as ``ImagePlan``.
    init(
        _ request: ImageRequest, format: PixelFormat, size: PixelSize, colorSpace: ColorSpace
    ) throws(ObscuraError) {
        var upright = ImageRequest()
        upright.crop = request.crop
        upright.orientation = request.orientation
        upright.isMirrored = request.isMirrored
        upright.chroma = request.chroma
        effects = request.effects
        // A request that changes nothing would keep the limited range, in which effects on RGB are wrong.
        if upright.isIdentity, !format.isYUV, colorSpace.range == .limited {
            upright.pixelFormat = effects.allSatisfy { $0.renderer.accepts(format) } ? format : .bgra
        }
        var plan = try ImagePlan(upright, format: format, size: size, colorSpace: colorSpace)
        if let first = effects.first, !first.renderer.accepts(plan.format) {
            upright.pixelFormat = .bgra
            plan = try ImagePlan(upright, format: format, size: size, colorSpace: colorSpace)
        }
        var after = ImageRequest(pixelFormat: request.pixelFormat, size: request.size)
        after.fit = request.fit
        after.chroma = request.chroma
        after.colorSpace = request.colorSpace
        let isWorkedOnAsBGRA = !effects.allSatisfy { $0.renderer.accepts(plan.format) }
        before = upright
        self.after = after
        shown = {
            var shown = upright
            shown.opaqueEffects = request.opaqueEffects
            return shown
        }()
        self.format = isWorkedOnAsBGRA ? .bgra : plan.format
        self.size = plan.size
        self.colorSpace = isWorkedOnAsBGRA && plan.format.isYUV ? .sRGB : plan.colorSpace
    }

    /// Applies the effects to the result of ``before``.
    func apply(to picture: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer {
        try effects.reduce(picture) { picture, effect in
            var source = picture
            if !effect.renderer.accepts(source.format) {
                var request = ImageRequest(pixelFormat: .bgra)
                request.chroma = before.chroma
                let plan = try ImagePlan(
                    request, format: source.format, size: source.size, colorSpace: source.colorSpace)
                source = try plan.run(on: source, in: context.pool)
            }
            return try effect.renderer.render(source, context)
        }
    }
}
