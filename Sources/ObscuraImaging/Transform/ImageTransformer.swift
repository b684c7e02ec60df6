// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Makes one picture of another: crop, turn, mirror, effects, scale, convert.
///
/// Colours are within 1 of the real-number formulas of ITU-T H.273 for BT.601, BT.709 and BT.2020, limited
/// and full range, 8 and 10 bits. Turning, mirroring and cropping move pixels and change none; with chroma
/// that pixels share, a result that shares it too takes the mean of each new block.
///
/// Any thread; a call converts on the thread it is made on.
public enum ImageTransformer {
    /// The picture that `request` asks for.
    ///
    /// - Parameters:
    ///   - source: any uncompressed picture. It is read only, and the result keeps no hold on it.
    ///   - pool: where the result lies; nil for memory of its own.
    ///   - context: what effects see of the frame; those that move go by its time.
    /// - Returns: `source` itself if nothing is to be done.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` and ``ObscuraError/Code/unsupportedFormat`` as
    ///   ``result(of:for:size:)`` does; `ObscuraError` when there is no room for the result.
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

    /// What ``transform(_:_:in:)`` would make of a picture with such a format and size, or why it would not.
    ///
    /// Without a format asked for, the source's is kept, but: a quarter turn of 4:2:2 gives 4:4:4, packed
    /// 4:2:2, NV16 and NV21 become planar by anything but a crop at even places, and another colour space makes
    /// 8 bits of 10. Every uncompressed format can become BGRA, RGBA, BGR24, RGB24, NV12, I420, I422, I444 and
    /// gray8.
    ///
    /// - Parameter colorSpace: that of the source; nil if it is not known, and then it is taken to be another
    ///   one than the request asks for.
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for a crop outside of the picture or a side not in
    ///   1...32768, ``ObscuraError/Code/unsupportedFormat``.
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
