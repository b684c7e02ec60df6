// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The conversion of pictures: crop, rotation, mirroring, effects, scaling, pixel format.
///
/// Color values differ by at most 1 from the exact formulas of ITU-T H.273 for BT.601, BT.709 and BT.2020, limited and
/// full range, 8 and 10 bits. Rotation, mirroring and cropping only move pixels. If source and result have subsampled
/// chroma, each chroma sample of the result is the mean of the pixels that the sample covers.
///
/// Thread-safe; a call converts on the calling thread.
public enum ImageTransformer {
    /// Converts a picture according to `request`.
    ///
    /// - Parameters:
    ///   - source: any uncompressed picture. The picture is not modified. A converted result does not retain the memory
    ///     of the source.
    ///   - request: the orientation, crop, size, format, color space and effects of the result.
    ///   - pool: the pool for the result; nil for new memory.
    ///   - context: the properties of the frame for effects; animated effects use the time of the frame.
    /// - Returns: the converted picture, or `source` itself if `request` changes nothing.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` and ``ObscuraError/Code/unsupportedFormat`` as
    ///   ``result(of:for:size:colorSpace:)``; ``ObscuraError/Code/poolExhausted`` and
    ///   ``ObscuraError/Code/outOfMemory``; the errors of custom effects.
    public static func transform(
        _ source: PixelBuffer, _ request: ImageRequest, in pool: PixelBufferPool? = nil,
        context: @autoclosure () -> EffectContext = EffectContext()
    ) throws -> PixelBuffer {
        if request.isIdentity { return source }
        guard request.opaqueEffects.isEmpty else {
            let plan = try EffectPlan(
                request, format: source.format, size: source.size, colorSpace: source.colorSpace)
            var context = context()
            context.pool = pool
            let picture = try plan.apply(to: transform(source, plan.before, in: pool), context)
            return try transform(picture, plan.after, in: pool)
        }
        let plan = try ImagePlan(
            request, format: source.format, size: source.size, colorSpace: source.colorSpace)
        return try plan.run(on: source, in: pool)
    }

    /// Returns the format and size of the result of ``transform(_:_:in:context:)`` for a source of this format and
    /// size.
    ///
    /// Every uncompressed format can be converted to BGRA, RGBA, BGR24, RGB24, NV12, I420, I422, I444 and gray8.
    /// Without a requested format, the result has the format of the source, with these exceptions:
    ///
    /// - 4:2:2 becomes 4:4:4 if the picture is rotated by 90 or 270 degrees.
    /// - Packed 4:2:2, NV16 and NV21 become planar. A picture that is only cropped, at even positions, keeps its
    ///   format.
    /// - ARGB, ABGR, BGRX, RGBX, XRGB and XBGR become BGRA, except if the picture is only cropped.
    /// - 10 bits become 8 bits if another color space is requested.
    ///
    /// - Parameters:
    ///   - request: the conversion.
    ///   - format: the format of the source.
    ///   - size: the size of the source.
    ///   - colorSpace: the color space of the source; nil if unknown. An unknown color space counts as different from
    ///     the requested color space.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for a crop outside the picture or a side outside 1...32768,
    ///   ``ObscuraError/Code/unsupportedFormat``.
    public static func result(
        of request: ImageRequest, for format: PixelFormat, size: PixelSize, colorSpace: ColorSpace? = nil
    ) throws(ObscuraError) -> (format: PixelFormat, size: PixelSize) {
        var source = colorSpace ?? request.colorSpace ?? .assumed
        if colorSpace == nil, request.colorSpace != nil { source.range = source.range == .full ? .limited : .full }
        guard request.opaqueEffects.isEmpty else {
            let plan = try EffectPlan(request, format: format, size: size, colorSpace: source)
            return try result(of: plan.after, for: plan.format, size: plan.size, colorSpace: plan.colorSpace)
        }
        let plan = try ImagePlan(request, format: format, size: size, colorSpace: source)
        return (plan.format, plan.size)
    }
}
