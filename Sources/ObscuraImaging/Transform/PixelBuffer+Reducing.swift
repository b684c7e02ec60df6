// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension PixelBuffer {
    /// Returns the picture, reduced if necessary to fit in `box`, with its aspect ratio; nil for any size.
    package func reduced(toFit box: PixelSize?) throws -> PixelBuffer {
        guard let box, width > box.width || height > box.height else { return self }
        var request = ImageRequest(size: box)
        request.fit = .aspect
        return try ImageTransformer.transform(self, request)
    }
}
