// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The compressed frames queued for a decoder: a pure value that determines which frames are dropped.
///
/// A frame can be decoded only with all frames since the last key frame. So if one is missing (lost in the driver,
/// damaged, or dropped), all others up to the next key frame are dropped.
struct EncodedBacklog: Sendable {
    /// A queued frame.
    struct Entry: Sendable {
        var frame: EncodedFrame
        /// The time when the frame entered the session.
        let arrival: HostTime
        /// Whether the frame does not follow the previously decoded one.
        var startsAnew: Bool
        /// Whether nobody needed frames before it: what the decoder still has of earlier ones is discarded.
        var endsRest = false
    }

    /// A frame that is not decoded.
    struct Lost: Sendable {
        let frame: EncodedFrame
        let reason: DropReason
    }

    private(set) var entries: [Entry] = []
    private(set) var byteCount = 0
    private let frameLimit: Int
    private let byteLimit: Int
    /// The reason for dropping frames until the next key frame; nil while no frame is missing. A stream begins with
    /// a key frame.
    private var omission: DropReason? = .deviceError
    /// Whether a dropped frame began a new timeline.
    private var owesDiscontinuity = false
    /// Whether frames are left out because nobody needs them.
    private var isResting = false

    /// Creates an empty backlog.
    ///
    /// - Parameters:
    ///   - frameLimit: Number of frames that may be queued.
    ///   - byteLimit: Total size of the queued frames in bytes; a single frame may exceed it.
    init(frameLimit: Int, byteLimit: Int) {
        self.frameLimit = max(1, frameLimit)
        self.byteLimit = byteLimit
    }

    /// Whether a frame of this size can be queued without dropping another one.
    func hasRoom(for length: Int) -> Bool {
        entries.isEmpty || entries.count < frameLimit && byteCount + length <= byteLimit
    }

    /// Queues a frame.
    ///
    /// - Returns: The frames dropped for it, or the frame itself.
    mutating func append(_ frame: EncodedFrame, arrival: HostTime) -> [Lost] {
        var frame = frame
        if owesDiscontinuity { frame.attachments.isDiscontinuity = true }
        owesDiscontinuity = false
        let isConnected = frame.attachments.gap == 0 && !frame.attachments.isDiscontinuity
        if !frame.isKeyFrame {
            // A reference frame is missing.
            if !isConnected { omission = omission ?? .deviceError }
            if let omission { return [leaveOut(frame, omission)] }
        }
        entries.append(
            Entry(frame: frame, arrival: arrival, startsAnew: omission != nil || !isConnected, endsRest: isResting))
        isResting = false
        byteCount += frame.data.count
        omission = nil
        var lost: [Lost] = []
        while entries.count > 1, entries.count > frameLimit || byteCount > byteLimit {
            lost += skip(toKeyFrameFrom: 1, .late)
        }
        return lost
    }

    mutating func takeFirst() -> Entry? {
        guard !entries.isEmpty else { return nil }
        byteCount -= entries[0].frame.data.count
        return entries.removeFirst()
    }

    /// Reports that a frame after the queued ones was lost.
    mutating func breakTail() {
        omission = omission ?? .deviceError
    }

    /// Leaves out a frame that nobody needs. Those after it, up to the next key frame, precede the beginning of whoever
    /// needs them.
    mutating func rest() {
        omission = .discontinuity
        isResting = true
    }

    /// Reports that the frame before the queued ones was lost.
    ///
    /// - Returns: The frames that cannot be decoded without it.
    mutating func breakHead() -> [Lost] {
        skip(toKeyFrameFrom: 0, .deviceError)
    }

    private mutating func skip(toKeyFrameFrom index: Int, _ reason: DropReason) -> [Lost] {
        let key = entries.indices.dropFirst(index).first { entries[$0].frame.isKeyFrame }
        let lost = entries[..<(key ?? entries.endIndex)].map { leaveOut($0.frame, reason) }
        entries.removeFirst(lost.count)
        byteCount = entries.reduce(0) { $0 + $1.frame.data.count }
        guard !entries.isEmpty else {
            omission = omission ?? reason
            return lost
        }
        entries[0].startsAnew = true
        if owesDiscontinuity { entries[0].frame.attachments.isDiscontinuity = true }
        owesDiscontinuity = false
        return lost
    }

    private mutating func leaveOut(_ frame: EncodedFrame, _ reason: DropReason) -> Lost {
        if frame.attachments.isDiscontinuity { owesDiscontinuity = true }
        return Lost(frame: frame, reason: reason)
    }
}
