// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension EncodedFrame {
    /// Checks that the JPEG contains one image, of the size of the frame. The decoder does not detect these defects: it
    /// decodes the first image at any size.
    ///
    /// - Parameter picture: the decoded frame.
    /// - Throws: ``ObscuraError/Code/damaged`` for an image of another size, as one of the two fields of an interlaced
    ///   frame, and for several images.
    package func checkImage(_ picture: PixelBuffer) throws(ObscuraError) {
        let size = PixelSize(width: width, height: height)
        guard picture.size == size else {
            throw .damaged("JPEG of the camera", "its size is \(picture.size), not \(size) as the camera reports")
        }
        guard !JPEGSegments.hasAnotherImage(in: data.span.bytes) else {
            throw .damaged("JPEG of the camera", "it contains more than one image")
        }
    }
}
