// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension VideoFrame {
    /// The maximum size of a band, in bytes; a core's second-level cache is larger.
    private static let bandBytes = 256 << 10

    /// Calls `body` with the image for `request` in bands of rows, from the top to the bottom, each converted while the
    /// memory of the last one is still in the cache. One band if the conversion is more than a change of the pixel
    /// format.
    ///
    /// The bands are not kept for other readers of the frame, unlike ``image(_:)``.
    ///
    /// - Parameter memory: a pool that is used only for this purpose.
    /// - Throws: as ``image(_:)``; the errors of `body`.
    package func withBands(
        of request: ImageRequest, in memory: PixelBufferPool, _ body: (PixelBuffer) throws -> Void
    ) throws {
        let plan =
            try request.opaqueEffects.isEmpty
            ? ImagePlan(request, format: buffer.format, size: buffer.size, colorSpace: buffer.colorSpace) : nil
        guard let plan, plan.isByRow else { return try body(image(request)) }
        // A multiple of 16 rows: no block of chroma is divided.
        let rowBytes = max(1, plan.format.planes(width: plan.size.width, height: 1)[0].rowBytes)
        let rows = max(16, Self.bandBytes / rowBytes / 16 * 16)
        for top in stride(from: 0, to: buffer.height, by: rows) {
            let height = min(rows, buffer.height - top)
            let part = buffer.view(of: PixelRect(x: 0, y: top, width: buffer.width, height: height))
            // The steps of a conversion by row depend on no size.
            try body(plan.run(on: part, in: memory))
        }
    }
}

extension ImagePlan {
    /// Whether each row of the result depends only on the same row of the source and its chroma, and the result has one
    /// plane.
    fileprivate var isByRow: Bool {
        !isIdentity && format.planes(width: size.width, height: size.height).count == 1
            && steps.allSatisfy { step in
                switch step {
                case .toRGB(_, .nearest), .swapRedAndBlue, .reorder, .addAlpha, .dropAlpha, .expandRange: true
                default: false
                }
            }
    }
}
