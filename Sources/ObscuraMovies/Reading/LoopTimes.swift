// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The times of a movie that is played again and again: each pass follows the one before, and pictures and sound
/// are moved by the same.
struct LoopTimes {
    /// What is added to the movie's own times in this pass.
    private(set) var offset = MediaTime.zero
    /// The latest end in this pass, on the movie's own timeline; nil until something was handed out.
    private var end: MediaTime?
    /// The end of the pass before, until the first element of this one has come.
    private var joint: MediaTime?
    private var isPictureJoint = false
    private var isSoundJoint = false

    /// Whether the next element is the first one of a pass that follows another.
    var beginsPass: Bool { joint != nil }

    /// The time of an element of this pass that lasts from `time` to `end`.
    mutating func place(_ time: MediaTime, until end: MediaTime) -> MediaTime {
        if let joint { offset = joint - time }
        joint = nil
        self.end = self.end.map { max($0, end) } ?? end
        return time + offset
    }

    /// Ends the pass. Returns false for one without an element, after which there would never be one.
    mutating func close() -> Bool {
        guard let end else { return false }
        joint = end + offset
        self.end = nil
        (isPictureJoint, isSoundJoint) = (true, true)
        return true
    }

    /// Whether the next picture is the first one of such a pass.
    mutating func takePictureJoint() -> Bool {
        defer { isPictureJoint = false }
        return isPictureJoint
    }

    /// The same for the next sound.
    mutating func takeSoundJoint() -> Bool {
        defer { isSoundJoint = false }
        return isSoundJoint
    }
}
