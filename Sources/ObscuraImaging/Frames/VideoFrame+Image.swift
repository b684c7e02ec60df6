// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoFrame {
    /// The frame's picture as `request` asks for it.
    ///
    /// It is made once for each request and frame, however many ask on however many threads: the first one
    /// makes it, the others wait. It is gone when the frame and all copies of it are. A request that asks
    /// for nothing new gives ``buffer`` itself. The result counts as held by the reader who holds the frame.
    ///
    /// - Throws: as ``ImageTransformer/transform(_:_:in:)``; the same error for all who ask.
    public func image(_ request: ImageRequest) throws -> PixelBuffer {
        if request.isIdentity { return buffer }
        guard request.opaqueEffects.isEmpty else { return try imageWithEffects(request) }
        let plan = try ImagePlan(
            request, format: buffer.format, size: buffer.size, colorSpace: buffer.colorSpace)
        if plan.isIdentity { return try plan.run(on: buffer, in: pool) }
        var image = try derived.value(for: request) { try plan.run(on: buffer, in: pool) }
        image.lease = buffer.lease
        return image
    }

    /// The effects are made once for all sizes and formats that are asked for.
    private func imageWithEffects(_ request: ImageRequest) throws -> PixelBuffer {
        let plan = try EffectPlan(request, format: buffer.format, size: buffer.size, colorSpace: buffer.colorSpace)
        var source = try image(plan.before)
        // What is kept for all is nobody's lease.
        source.lease = nil
        var picture = try derived.value(for: plan.shown) {
            var context = EffectContext(self)
            context.geometry = PictureGeometry(plan.before, of: buffer.size)
            context.upright = PictureGeometry(ImageRequest().upright(attachments), of: buffer.size)
            return try plan.apply(to: source, context)
        }
        if plan.after != ImageRequest() {
            picture = try derived.value(for: request) {
                try ImageTransformer.transform(picture, plan.after, in: pool)
            }
        }
        picture.lease = buffer.lease
        return picture
    }
}
