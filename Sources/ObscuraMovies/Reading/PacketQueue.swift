// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg

/// Packets of one stream that were read on the way to those of another, in their order.
struct PacketQueue {
    /// Ten seconds of sound and more, or of pictures; enough for the way in which films lay the two side by side.
    private static let mostPackets = 512
    private static let mostBytes = 32 << 20

    private var packets: [Packet] = []
    private var byteCount = 0

    var isEmpty: Bool { packets.isEmpty }

    /// Whether no more should be read on its account.
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
