// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// What waits for one destination: a pure value.
///
/// It holds no more than its limits. What does not fit is left out in whole groups of pictures, with their sound: a
/// picture whose group has lost one before it cannot be decoded, so it is not sent either. What is sent always begins
/// with a key frame.
struct SendQueue: Sendable {
    /// How much may wait.
    struct Limits: Sendable, Hashable {
        var duration: MediaTime
        var byteCount: Int
    }

    let limits: Limits
    let hasVideo: Bool
    private var packets: ArraySlice<EncodedPacket> = []
    private(set) var byteCount = 0
    /// Whether nothing can be taken before a key frame comes.
    private(set) var awaitsKey = true
    /// How many pictures were left out.
    private(set) var droppedFrames = 0

    init(limits: Limits, hasVideo: Bool = true) {
        self.limits = limits
        self.hasVideo = hasVideo
    }

    var isEmpty: Bool { packets.isEmpty }
    var count: Int { packets.count }

    /// From the first to the last that waits.
    var duration: MediaTime {
        guard let first = packets.first, let last = packets.last else { return .zero }
        return max(.zero, last.time - first.time)
    }

    /// Takes what comes, or leaves it out.
    mutating func add(_ packet: EncodedPacket) {
        if awaitsKey {
            guard packet.isKey, packet.isVideo || !hasVideo else { return drop(packet) }
            awaitsKey = false
        }
        packets.append(packet)
        byteCount += packet.byteCount
        if duration > limits.duration || byteCount > limits.byteCount { shrink() }
    }

    /// What is to be sent next.
    mutating func take() -> EncodedPacket? {
        guard let packet = packets.popFirst() else { return nil }
        byteCount -= packet.byteCount
        return packet
    }

    /// Begins anew, with the next key frame: for a new connection, or while there is none.
    mutating func restart() {
        for packet in packets { drop(packet) }
        packets = []
        byteCount = 0
        awaitsKey = true
    }

    /// Leaves out all groups but the newest, or, if that is the only one, it as well.
    ///
    /// The group whose pictures are being sent goes too: what is left of it comes so late that it only holds up the
    /// rest.
    private mutating func shrink() {
        guard let key = packets.lastIndex(where: { $0.isKey && ($0.isVideo || !hasVideo) }), key > packets.startIndex
        else { return restart() }
        for packet in packets[..<key] {
            drop(packet)
            byteCount -= packet.byteCount
        }
        packets = packets[key...]
        // One group that is too large for the queue has no place in it.
        if duration > limits.duration || byteCount > limits.byteCount { restart() }
    }

    private mutating func drop(_ packet: EncodedPacket) {
        if packet.isVideo { droppedFrames += 1 }
    }
}
