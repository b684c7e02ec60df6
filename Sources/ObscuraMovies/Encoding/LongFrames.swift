// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg

/// The frames of a movie file that are shown for very long, as during an outage of a camera.
///
/// FFmpeg's muxers of MP4 and MOV keep the duration of a frame, and the step from one decode time to the next, in 31 bits:
/// 36 minutes in microseconds. A frame that is shown for longer is followed by copies of the key frame before it, which
/// need no other frame. The frame after it must be a key frame.
struct LongFrames {
    /// The longest duration of a packet, in the units of its times.
    static let longest: Int64 = 1 << 30
    /// The maximum number of copies: twelve days in microseconds. Absurd times must not fill a disk.
    private static let mostCopies: Int64 = 1000

    /// The last key frame of each track.
    private var keys: [Int: EncodedPacket] = [:]

    /// Returns the packet, followed by copies of the last key frame if the packet is too long.
    mutating func parts(of packet: EncodedPacket, track: Int) -> [EncodedPacket] {
        guard packet.isVideo else { return [packet] }
        if packet.isKey { keys[track] = packet }
        let count = (packet.duration - 1) / Self.longest
        guard (1...Self.mostCopies).contains(count), let key = keys[track] else { return [packet] }
        var first = packet
        first.duration = Self.longest
        return [first]
            + (1...count).map { number in
                let begin = number * Self.longest
                return key.shown(
                    from: packet.units + begin, lead: packet.lead, for: min(Self.longest, packet.duration - begin))
            }
    }
}
