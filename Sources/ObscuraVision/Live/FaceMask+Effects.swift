// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

public import ObscuraImaging
public import ObscuraMedia

extension FaceMask {
    /// The faces on a transparent layer, to be laid over frames: BGRA with straight alpha, 255 where something is
    /// drawn, 0 elsewhere.
    ///
    /// - Parameter size: of the layer; the faces lie in it where their bounds say.
    /// - Throws: `ObscuraError` when there is no memory, ``ObscuraError`` if OpenCV fails.
    public func layer(for faces: [Face], size: PixelSize) throws -> PixelBuffer {
        var layer = try PixelBuffer(format: .bgra, width: size.width, height: size.height)
        try FaceDrawing.draw(faces, self, on: &layer)
        return layer
    }

    /// Draws the faces on a picture, which is made BGRA if it is of another format.
    ///
    /// - Throws: as ``layer(for:size:)``; `ObscuraError` for a compressed picture.
    public func draw(_ faces: [Face], on picture: inout PixelBuffer) throws {
        if picture.format != .bgra {
            picture = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgra))
        }
        try FaceDrawing.draw(faces, self, on: &picture)
    }

    /// An effect that draws what `output` found last on the frames that come then, also where they are cropped, turned
    /// or mirrored in another way than those that were searched. A frame without faces stays as it is.
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
    /// Makes the faces that `output` found last unrecognisable, as blocks of `side` x `side` pixels.
    ///
    /// What is not found is not hidden: whoever must hide faces for certain cannot rely on it.
    public static func mosaic(of output: FaceOutput, side: Int = 24) -> VideoEffect {
        let effect = BlockEffect(side: side) { context in
            output.faces(in: context).map { face in
                // A face reaches beyond what a detector calls its bounds.
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

#endif
