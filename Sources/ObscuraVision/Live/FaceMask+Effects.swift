// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraImaging
public import ObscuraMedia

extension FaceMask {
    /// Returns a transparent BGRA layer on which the faces are drawn, for example for an overlay. Drawn pixels have the
    /// alpha of ``color``, without premultiplication. All other pixels have alpha 0.
    ///
    /// - Parameters:
    ///   - faces: the faces to draw.
    ///   - size: the size of the layer in pixels. The bounds of the faces are in pixels of the layer.
    /// - Throws: ``ObscuraError``: `invalidSize`, `outOfMemory`, `searchFailed` if OpenCV fails, `libraryMissing` if
    ///   the library ObscuraOpenCV cannot be loaded.
    public func layer(for faces: [Face], size: PixelSize) throws -> PixelBuffer {
        var layer = try PixelBuffer(format: .bgra, width: size.width, height: size.height)
        try FaceDrawing.draw(faces, self, on: &layer)
        return layer
    }

    /// Draws the faces on an image, which is converted to BGRA first.
    ///
    /// - Throws: as ``layer(for:size:)``; `unsupportedFormat` for a compressed image.
    public func draw(_ faces: [Face], on picture: inout PixelBuffer) throws {
        if picture.format != .bgra {
            picture = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgra))
        }
        try FaceDrawing.draw(faces, self, on: &picture)
    }

    /// Returns an effect that draws the latest faces of `output` on subsequent frames. A frame without faces is
    /// unchanged.
    ///
    /// The positions of the faces are converted if the subsequent frames are cropped, rotated or mirrored differently
    /// from the frames that `output` searches.
    public func effect(of output: FaceOutput) -> VideoEffect {
        VideoEffect(
            name: "face mask", key: Key(mask: self, output: ObjectIdentifier(output)),
            renderer: MaskRenderer(mask: self, output: output))
    }

    private struct Key: Hashable, Sendable {
        let mask: FaceMask
        let output: ObjectIdentifier
    }

    private struct MaskRenderer: EffectRenderer {
        let mask: FaceMask
        let output: FaceOutput

        func accepts(_ format: PixelFormat) -> Bool { format == .bgra }

        func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer {
            let faces = output.faces(in: context)
            if faces.isEmpty { return source }
            var picture = try source.copy(in: context.pool)
            try FaceDrawing.draw(faces, mask, on: &picture)
            return picture
        }
    }
}

extension VideoEffect {
    /// Returns an effect that pixelates the latest faces of `output` with blocks of `side` x `side` pixels.
    ///
    /// The effect hides only detected faces. Do not rely on it where every face must be hidden.
    public static func mosaic(of output: FaceOutput, side: Int = 24) -> VideoEffect {
        let effect = BlockEffect(side: side) { context in
            output.faces(in: context).map { face in
                // A face extends beyond the detected bounds.
                let (dx, dy) = (face.bounds.width / 8, face.bounds.height / 6)
                return PixelRect(
                    x: face.bounds.x - dx, y: face.bounds.y - dy, width: face.bounds.width + 2 * dx,
                    height: face.bounds.height + 2 * dy)
            }
        }
        return VideoEffect(
            name: "face mosaic", key: MosaicKey(output: ObjectIdentifier(output), side: side), renderer: effect)
    }
}

private struct MosaicKey: Hashable, Sendable {
    let output: ObjectIdentifier
    let side: Int
}
