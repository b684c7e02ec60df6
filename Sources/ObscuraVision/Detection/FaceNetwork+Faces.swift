// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraMedia

extension Lock<FaceNetwork> {
    /// Returns the faces of a picture in any uncompressed format, within the requested sizes.
    func faces(in picture: PixelBuffer, _ settings: FaceDetector.Settings) throws -> [Face] {
        guard !picture.format.isCompressed else { throw ObscuraError.compressed(picture.format) }
        let pixels = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgr24))
        let faces = try withLock { try $0.find(in: pixels) }
        let (smallest, largest) = (settings.smallestFace, settings.largestFace ?? picture.size)
        return faces.filter { face in
            (smallest.width...max(smallest.width, largest.width)).contains(face.bounds.width)
                && (smallest.height...max(smallest.height, largest.height)).contains(face.bounds.height)
        }
    }
}
