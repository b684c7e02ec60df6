// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoFrame {
    /// Returns the frame's image, converted according to `request`.
    ///
    /// The image is converted once per request and frame, even for concurrent callers: the first caller converts, the
    /// others wait. The frame keeps the image until the last copy of the frame is released. If your code keeps the
    /// image longer, the image still counts toward the number of frames that your code may hold at once.
    ///
    /// If the request changes nothing, the result is ``buffer`` itself.
    ///
    /// - Throws: as ``ImageTransformer/transform(_:_:in:context:)``. All callers get the same error.
    public func image(_ request: ImageRequest) throws -> PixelBuffer {
        if request.isIdentity { return buffer }
        guard request.opaqueEffects.isEmpty else { return try imageWithEffects(request) }
        let plan = try ImagePlan(
            request, format: buffer.format, size: buffer.size, colorSpace: buffer.colorSpace)
        if plan.isIdentity { return try plan.run(on: buffer, in: pool) }
        var image = try derived.image(for: request) { try plan.run(on: buffer, in: pool) }
        image.lease = buffer.lease
        return image
    }

    /// Applies the effects once for all requested sizes and formats.
    private func imageWithEffects(_ request: ImageRequest) throws -> PixelBuffer {
        let plan = try EffectPlan(request, format: buffer.format, size: buffer.size, colorSpace: buffer.colorSpace)
        var source = try image(plan.before)
        // The cached picture belongs to no lease.
        source.lease = nil
        var picture = try derived.image(for: plan.shown) {
            var context = EffectContext(self)
            context.geometry = PictureGeometry(plan.before, of: buffer.size)
            context.upright = PictureGeometry(ImageRequest().upright(attachments), of: buffer.size)
            return try plan.apply(to: source, context)
        }
        if plan.after != ImageRequest() {
            picture = try derived.image(for: request) {
                try ImageTransformer.transform(picture, plan.after, in: pool)
            }
        }
        picture.lease = buffer.lease
        return picture
    }
}
