// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The compressed frames that wait for their decoder, as a pure value that says which are left out.
///
/// A frame is of use only with all those since the last key frame. So once one is missing (the driver lost
/// it, it was damaged, there was no room), the others are left out up to the next key frame.
struct EncodedBacklog: Sendable {
    /// A frame that waits.
    struct Entry: Sendable {
        var frame: EncodedFrame
        /// When the frame entered the session.
        let arrival: HostTime
        /// Whether it does not follow the frame that is decoded before it.
        var startsAnew: Bool
    }

    /// A frame that will not be decoded.
    struct Lost: Sendable {
        let frame: EncodedFrame
        let reason: DropReason
    }

    private(set) var entries: [Entry] = []
    private(set) var byteCount = 0
    private let frameLimit: Int
    private let byteLimit: Int
    /// Why frames are left out until a key frame comes; nil while each one follows the one before. A stream
    /// begins with a key frame.
    private var omission: DropReason? = .deviceError
    /// Whether a frame that was left out began a new timeline.
    private var owesDiscontinuity = false

    /// - Parameters:
    ///   - frameLimit: how many frames may wait.
    ///   - byteLimit: how long they may be together; a single frame is let in whatever its length.
    init(frameLimit: Int, byteLimit: Int) {
        self.frameLimit = max(1, frameLimit)
        self.byteLimit = byteLimit
    }

    /// Whether a frame of this length has room without another one being left out.
    func hasRoom(for length: Int) -> Bool {
        entries.isEmpty || entries.count < frameLimit && byteCount + length <= byteLimit
    }

    /// Takes a frame in.
    ///
    /// - Returns: what is left out for it, or it itself.
    mutating func append(_ frame: EncodedFrame, arrival: HostTime) -> [Lost] {
        var frame = frame
        if owesDiscontinuity { frame.attachments.isDiscontinuity = true }
        owesDiscontinuity = false
        let isConnected = frame.attachments.gap == 0 && !frame.attachments.isDiscontinuity
        if !frame.isKeyFrame {
            // What it refers to is not there.
            if !isConnected { omission = omission ?? .deviceError }
            if let omission { return [leaveOut(frame, omission)] }
        }
        entries.append(Entry(frame: frame, arrival: arrival, startsAnew: omission != nil || !isConnected))
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

    /// A frame behind those that wait was lost.
    mutating func breakTail() {
        omission = omission ?? .deviceError
    }

    /// The frame before those that wait was lost.
    ///
    /// - Returns: those that cannot be decoded without it.
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
