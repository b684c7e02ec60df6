// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraFFmpeg
import ObscuraMedia
import Testing

@Suite struct EncodedPacketTests {
    private func packet(isVideo: Bool = true, isKey: Bool, units: Int64 = 40) throws -> EncodedPacket {
        try #require(
            EncodedPacket(
                isVideo: isVideo, bytes: [1, 2, 3], units: units, timescale: 10, duration: 5, isKey: isKey,
                hostTime: HostTime(nanoseconds: 7)))
    }

    @Test func `Parameter sets come before key pictures alone`() throws {
        #expect(try packet(isKey: true).withBytes(repeating: [9]) { Array($0) } == [9, 1, 2, 3])
        #expect(try packet(isKey: false).withBytes(repeating: [9]) { Array($0) } == [1, 2, 3])
        #expect(try packet(isVideo: false, isKey: true).withBytes(repeating: [9]) { Array($0) } == [1, 2, 3])
        #expect(try packet(isKey: true).bytes == [1, 2, 3])
    }

    @Test func `Counting from a later time changes the copy alone, and there is none for an earlier packet`() throws {
        let packet = try packet(isKey: true)
        let counted = try #require(packet.counted(from: MediaTime(value: 3, timescale: 1)))
        #expect(counted.units == 10 && counted.time == MediaTime(value: 1, timescale: 1))
        #expect(counted.length == packet.length && counted.isKey && counted.hostTime == packet.hostTime)
        #expect(packet.units == 40 && packet.byteCount == 3)
        #expect(packet.counted(from: MediaTime(value: 5, timescale: 1)) == nil)
    }
}
