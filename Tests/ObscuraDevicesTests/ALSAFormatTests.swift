// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraDevices

@Suite("Formats of sound cards")
struct ALSAFormatTests {
    @Test("Samples of 24 bits at the low end of 32 reach full scale, whatever is in the fourth byte")
    func int24() {
        let samples: [Int32] = [0, 1, -1, 0x7FFFFF, 0x5A00_0001, -0x800000, 0x00FF_FFFF]
        #expect(
            ALSASampleLayout.widened(int24: samples) == [0, 256, -256, 0x7FFFFF00, 256, .min, -256])
    }

    @Test("Samples of 24 bits in three bytes reach full scale; a broken end is left out")
    func packed24() {
        let bytes: [UInt8] = [0, 0, 0, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0x80, 9, 9]
        #expect(ALSASampleLayout.widened(packed24: bytes) == [0, 256, -256, 0x7FFF_FF00, .min])
        #expect(ALSASampleLayout.widened(packed24: []).isEmpty)
    }

    @Test("Samples of eight bits reach full scale around 128")
    func uint8() {
        #expect(ALSASampleLayout.widened(uint8: [0, 127, 128, 129, 255]) == [-32768, -256, 0, 256, 32512])
    }

    @Test("A layout of the wanted type is liked best, and every other serves as well")
    func layouts() {
        #expect(ALSAFormats.layouts(for: nil).first == .float32)
        #expect(ALSAFormats.layouts(for: .int16).prefix(2) == [.int16, .uint8])
        #expect(ALSAFormats.layouts(for: .int32).prefix(3) == [.int32, .int24, .packed24])
        for type in AudioFormat.SampleType.allCases {
            #expect(Set(ALSAFormats.layouts(for: type)) == Set(ALSASampleLayout.allCases))
        }
    }

    @Test(
        "Two channels are liked best, then the fewer",
        arguments: [
            (1, 2, [2, 1]), (1, 4, [2, 1, 3, 4]), (2, 2, [2]), (6, 6, [6]), (1, 10_000, [2, 1, 3, 4, 5, 6, 7, 8]),
            (18, 18, [18]), (0, 0, [1]), (4, 2, [4]),
        ])
    func channels(least: Int, most: Int, counts: [Int]) {
        #expect(ALSAFormats.channelCounts(from: least, to: most) == counts)
    }

    @Test(
        "A card with more channels than a format can have is refused, since its frames do not fit", arguments: [64, 65])
    func manyChannels(count: Int) throws {
        let pcm = try ALSAPCM(name: "null", subject: "null")
        let parameters = try #require(ALSAParameters(of: pcm.pointer)?.with(channels: count))
        let agreement = parameters.settle(near: nil, buffer: 200_000, period: 10_000)
        #expect(agreement?.format.channelCount == (count <= 64 ? count : nil))
    }
}
