// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg

/// The packets of one stream that were read while looking for those of another, in order.
struct PacketQueue {
    /// At least ten seconds of audio or video; enough for the interleaving of common movies.
    private static let mostPackets = 512
    private static let mostBytes = 32 << 20

    private var packets: [Packet] = []
    private var byteCount = 0

    var isEmpty: Bool { packets.isEmpty }

    /// Whether no more packets should be read ahead for this queue.
    var isFull: Bool { packets.count >= Self.mostPackets || byteCount >= Self.mostBytes }

    mutating func append(_ packet: Packet) {
        packets.append(packet)
        byteCount += packet.byteCount
    }

    mutating func popFirst() -> Packet? {
        guard !packets.isEmpty else { return nil }
        let packet = packets.removeFirst()
        byteCount -= packet.byteCount
        return packet
    }

    mutating func removeAll() {
        packets.removeAll()
        byteCount = 0
    }
}
