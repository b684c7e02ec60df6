// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraMedia

extension Lock<FaceNetwork> {
    /// The faces of a picture in any uncompressed format, within the sizes that are asked for.
    func faces(in picture: PixelBuffer, _ settings: FaceDetector.Settings) throws -> [Face] {
        guard !picture.format.isCompressed else { throw ObscuraError.compressed(picture.format) }
        let colours = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgr24))
        let faces = try withLock { try $0.find(in: colours) }
        let (smallest, largest) = (settings.smallestFace, settings.largestFace ?? picture.size)
        return faces.filter { face in
            (smallest.width...max(smallest.width, largest.width)).contains(face.bounds.width)
                && (smallest.height...max(smallest.height, largest.height)).contains(face.bounds.height)
        }
    }
}

#endif
