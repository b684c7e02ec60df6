// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The frames whose pictures are being made, so that each picture gets the times and attachments of its own
/// frame: decoders give them later, and in another order.
struct DecodeFlow {
    /// What is kept of a compressed frame.
    struct Origin {
        let id: UInt64
        let arrival: HostTime
        let presentationTime: MediaTime
        let hostTime: HostTime
        let duration: MediaTime?
        let sequence: UInt64
        let attachments: VideoFrame.Attachments
    }

    private var origins: [Origin] = []
    private var nextID: UInt64 = 0
    private let limit: UInt64
    /// Whether a frame that was lost began a new timeline.
    private var owesDiscontinuity = false
    private var lastComplaint: HostTime?

    /// - Parameter limit: how many frames later a picture may come.
    init(limit: Int) {
        self.limit = UInt64(max(0, limit))
    }

    /// Notes a frame that is about to be decoded. Returns its number.
    mutating func begin(_ entry: EncodedBacklog.Entry) -> UInt64 {
        let frame = entry.frame
        defer { nextID += 1 }
        origins.append(
            Origin(
                id: nextID, arrival: entry.arrival, presentationTime: frame.presentationTime,
                hostTime: frame.hostTime, duration: frame.duration, sequence: frame.sequence,
                attachments: frame.attachments))
        return nextID
    }

    /// The frame of a picture; nil for a number that is not under way.
    mutating func end(_ id: UInt64, with picture: PixelBuffer) -> (frame: VideoFrame, arrival: HostTime)? {
        guard let origin = take(id) else { return nil }
        var attachments = origin.attachments
        if owesDiscontinuity { attachments.isDiscontinuity = true }
        owesDiscontinuity = false
        let frame = VideoFrame(
            buffer: picture, presentationTime: origin.presentationTime, hostTime: origin.hostTime,
            duration: origin.duration, sequence: origin.sequence, attachments: attachments)
        return (frame, origin.arrival)
    }

    /// A frame of which there will be no picture.
    mutating func end(_ id: UInt64) -> Origin? {
        guard let origin = take(id) else { return nil }
        if origin.attachments.isDiscontinuity { owesDiscontinuity = true }
        return origin
    }

    /// All frames: none of them will have a picture.
    mutating func endAll() -> [Origin] {
        origins.map(\.id).compactMap { end($0) }
    }

    /// The frames that have waited for longer than any stream may make them: what a decoder forgets must not be
    /// kept for ever.
    mutating func overdue() -> [Origin] {
        origins.filter { $0.id + limit < nextID }.map(\.id).compactMap { end($0) }
    }

    /// Whether a failure may be logged: at most one in a second.
    mutating func mayComplain(now: HostTime) -> Bool {
        if let last = lastComplaint, now - last < .seconds(1) { return false }
        lastComplaint = now
        return true
    }

    private mutating func take(_ id: UInt64) -> Origin? {
        origins.firstIndex { $0.id == id }.map { origins.remove(at: $0) }
    }
}
