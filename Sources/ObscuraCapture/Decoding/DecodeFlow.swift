// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Frames being decoded, kept so that each image gets the times and attachments of its own frame, since decoders
/// return images later and in another order.
struct DecodeFlow {
    /// Properties of a compressed frame that are kept until it is decoded.
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
    /// Whether a lost frame began a new timeline.
    private var owesDiscontinuity = false
    private var lastComplaint: HostTime?

    /// Creates a flow without frames.
    ///
    /// - Parameter limit: Number of later frames after which an image can still be returned.
    init(limit: Int) {
        self.limit = UInt64(max(0, limit))
    }

    /// Adds a frame that is about to be decoded. Returns its number.
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

    /// Removes a decoded frame and returns it with its image; nil for an unknown number.
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

    /// Removes a frame that yields no image.
    mutating func end(_ id: UInt64) -> Origin? {
        guard let origin = take(id) else { return nil }
        if origin.attachments.isDiscontinuity { owesDiscontinuity = true }
        return origin
    }

    /// Removes all frames; none of them yields an image.
    mutating func endAll() -> [Origin] {
        origins.map(\.id).compactMap { end($0) }
    }

    /// Removes and returns the frames that are older than any stream allows, since a decoder may never return them.
    mutating func overdue() -> [Origin] {
        origins.filter { $0.id + limit < nextID }.map(\.id).compactMap { end($0) }
    }

    /// Whether a failure may be logged; at most one per second.
    mutating func mayComplain(now: HostTime) -> Bool {
        if let last = lastComplaint, now - last < .seconds(1) { return false }
        lastComplaint = now
        return true
    }

    private mutating func take(_ id: UInt64) -> Origin? {
        origins.firstIndex { $0.id == id }.map { origins.remove(at: $0) }
    }
}
