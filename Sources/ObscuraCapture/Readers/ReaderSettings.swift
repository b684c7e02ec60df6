// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The settings for the frames of a reader.
struct ReaderSettings: Sendable {
    let request: ImageRequest
    /// The request for an image beside the source's own, to which `request` does not apply; nil for none.
    let image: ImageRequest?
    /// Whether a frame needs work only if it is not upright or not decoded.
    let isPlain: Bool

    init(request: ImageRequest, image: ImageRequest?) {
        self.request = request
        self.image = image
        isPlain = image == nil && request.isIdentity
    }
}
