// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The way to a picture with effects, as a pure value: what is done before them, and what after.
struct EffectPlan {
    /// Crops, turns and mirrors, and makes what the first effect works on.
    let before: ImageRequest
    let effects: [VideoEffect]
    /// Scales and converts.
    let after: ImageRequest
    /// Everything but ``after``: the key of the picture that all sizes and formats are made of.
    let shown: ImageRequest
    /// What the picture is between the effects and ``after``.
    let format: PixelFormat
    let size: PixelSize
    let colorSpace: ColorSpace

    /// - Throws: as ``ImagePlan`` does.
    init(
        _ request: ImageRequest, format: PixelFormat, size: PixelSize, colorSpace: ColorSpace
    ) throws(ObscuraError) {
        var upright = ImageRequest()
        upright.crop = request.crop
        upright.orientation = request.orientation
        upright.isMirrored = request.isMirrored
        upright.chroma = request.chroma
        effects = request.effects
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

    /// The picture, as ``before`` makes it, with the effects.
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
