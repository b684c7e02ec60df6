// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// The number of returned and lost frames, and the position.
package struct ReadingProgress: Sendable, Hashable {
    /// Number of frames returned.
    package var delivered = 0
    /// Number of damaged frames, which were not returned.
    package var lost = 0
    /// The end of the last returned frame; nil before the first.
    package var end: MediaTime?
    /// The time of that frame on the movie's own timeline, without loop offsets; nil if this loop has returned none
    /// yet.
    package var position: MediaTime?
    /// Number of damaged audio packets, which were not returned.
    package var soundLost = 0
    /// The end of the returned audio on the movie's own timeline; nil if this loop has returned none yet.
    package var soundPosition: MediaTime?
    /// The loop offset of the last returned element; nil before the first.
    package var offset: MediaTime?
}
