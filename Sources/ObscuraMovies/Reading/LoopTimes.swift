// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The times of a looping movie: each pass follows the previous one, and video and audio have the same offset.
struct LoopTimes {
    /// The offset added to the movie's own times in this pass.
    private(set) var offset = MediaTime.zero
    /// The latest end in this pass, on the movie's own timeline; nil until an element was returned.
    private var end: MediaTime?
    /// The end of the previous pass, until the first element of this one.
    private var joint: MediaTime?
    private var isPictureJoint = false
    private var isSoundJoint = false

    /// Whether the next element is the first one after a loop.
    var beginsPass: Bool { joint != nil }

    /// Returns the time of an element of this pass that lasts from `time` to `end`.
    mutating func place(_ time: MediaTime, until end: MediaTime) -> MediaTime {
        if let joint { offset = joint - time }
        joint = nil
        self.end = self.end.map { max($0, end) } ?? end
        return time + offset
    }

    /// Ends the pass. Returns false for a pass without elements, because every later one would also be empty.
    mutating func close() -> Bool {
        guard let end else { return false }
        joint = end + offset
        self.end = nil
        (isPictureJoint, isSoundJoint) = (true, true)
        return true
    }

    /// Whether the next frame is the first one after a loop; resets the flag.
    mutating func takePictureJoint() -> Bool {
        defer { isPictureJoint = false }
        return isPictureJoint
    }

    /// Whether the next audio buffer is the first one after a loop; resets the flag.
    mutating func takeSoundJoint() -> Bool {
        defer { isSoundJoint = false }
        return isSoundJoint
    }
}
