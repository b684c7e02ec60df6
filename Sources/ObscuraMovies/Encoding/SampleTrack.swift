// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture

/// A track that a session delivers.
package struct SampleTrack: Sendable, Hashable, Comparable {
    /// The index of the track in the movie.
    package let index: Int
    package let mediaType: MediaType

    package init(_ index: Int, _ mediaType: MediaType) {
        self.index = index
        self.mediaType = mediaType
    }

    package var isVideo: Bool { mediaType == .video }

    /// Video is before audio: the first track determines where a movie begins and ends.
    package static func < (first: SampleTrack, second: SampleTrack) -> Bool {
        first.isVideo == second.isVideo ? first.index < second.index : first.isVideo
    }
}
