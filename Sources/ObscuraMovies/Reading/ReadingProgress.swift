// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// What has become of the frames so far.
package struct ReadingProgress: Sendable, Hashable {
    /// Frames that were handed out.
    package var delivered = 0
    /// Frames that were broken and not handed out.
    package var lost = 0
    /// The end of the last frame that was handed out; nil before the first.
    package var end: MediaTime?
    /// The time of that frame on the movie's own timeline, which loops do not move; nil if there was none in
    /// this loop.
    package var position: MediaTime?
    /// Packets of sound that were broken and not handed out.
    package var soundLost = 0
    /// The end of the sound that was handed out, on the movie's own timeline; nil if there was none in this loop.
    package var soundPosition: MediaTime?
    /// What loops have added to the times of what was handed out last; nil before the first.
    package var offset: MediaTime?
}
