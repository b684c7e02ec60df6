// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import Synchronization

/// The images that were made from the pixel buffer of a frame, one for each request.
package final class DerivedImages: Sendable {
    private final class Cache: Sendable {
        let images = SingleFlight<ImageRequest, PixelBuffer>()
    }

    // Made for the first image: most frames are used as they are.
    private let cache = AtomicLazyReference<Cache>()

    package init() {}

    /// Returns the image for a request, made by `make` if it does not exist. Blocks while another thread makes it.
    package func image(for request: ImageRequest, make: () throws -> PixelBuffer) throws -> PixelBuffer {
        try (cache.load() ?? cache.storeIfNil(Cache())).images.value(for: request, make: make)
    }

    /// The number of images.
    package var count: Int { cache.load()?.images.count ?? 0 }
}
