// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// The packets that wait for one destination: a pure value.
///
/// The size is limited. Excess packets are dropped in whole groups of pictures, with their audio: after a dropped
/// frame, the rest of its group cannot be decoded and is not sent either. Sending always starts with a key frame.
struct SendQueue: Sendable {
    /// The limits of the queue.
    struct Limits: Sendable, Hashable {
        var duration: MediaTime
        var byteCount: Int
    }

    let limits: Limits
    let hasVideo: Bool
    private var packets: ArraySlice<EncodedPacket> = []
    private(set) var byteCount = 0
    /// Whether packets are dropped until the next key frame.
    private(set) var awaitsKey = true
    /// Number of dropped frames.
    private(set) var droppedFrames = 0

    init(limits: Limits, hasVideo: Bool = true) {
        self.limits = limits
        self.hasVideo = hasVideo
    }

    var isEmpty: Bool { packets.isEmpty }
    var count: Int { packets.count }

    /// The duration from the first to the last waiting packet.
    var duration: MediaTime {
        guard let first = packets.first, let last = packets.last else { return .zero }
        return max(.zero, last.time - first.time)
    }

    /// Queues or drops a packet.
    mutating func add(_ packet: EncodedPacket) {
        if awaitsKey {
            guard packet.isKey, packet.isVideo || !hasVideo else { return drop(packet) }
            awaitsKey = false
        }
        packets.append(packet)
        byteCount += packet.byteCount
        if duration > limits.duration || byteCount > limits.byteCount { shrink() }
    }

    /// Returns the next packet to send.
    mutating func take() -> EncodedPacket? {
        guard let packet = packets.popFirst() else { return nil }
        byteCount -= packet.byteCount
        return packet
    }

    /// Restarts with the next key frame, for a new connection or while there is none.
    mutating func restart() {
        for packet in packets { drop(packet) }
        packets = []
        byteCount = 0
        awaitsKey = true
    }

    /// Drops all groups except the newest, or, if that is the only one, that one.
    ///
    /// This includes the group that is being sent: the rest of it would be late and delay all later frames.
    private mutating func shrink() {
        guard let key = packets.lastIndex(where: { $0.isKey && ($0.isVideo || !hasVideo) }), key > packets.startIndex
        else { return restart() }
        for packet in packets[..<key] {
            drop(packet)
            byteCount -= packet.byteCount
        }
        packets = packets[key...]
        // A single group that is too large for the queue is dropped.
        if duration > limits.duration || byteCount > limits.byteCount { restart() }
    }

    private mutating func drop(_ packet: EncodedPacket) {
        if packet.isVideo { droppedFrames += 1 }
    }
}
