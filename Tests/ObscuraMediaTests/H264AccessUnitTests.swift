// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import TestSupport
import Testing

@Suite struct H264AccessUnitTests {
    private static let parameters: [UInt8] = [0, 0, 0, 1, 0x67, 0x42, 0xc0, 0x1e, 0, 0, 1, 0x68, 0xce, 0x38, 0x80]
    /// first_mb_in_slice 0 and slice_type 7 (I): the bits 1, 0001000.
    private static let intraSlice: [UInt8] = [0, 0, 1, 0x41, 0b1000_1000, 0x84]
    /// first_mb_in_slice 0 and slice_type 5 (P): the bits 1, 00110.
    private static let predictedSlice: [UInt8] = [0, 0, 1, 0x41, 0b1001_1010, 0x84]

    @Test(
        arguments: [
            ("an IDR slice alone", [0, 0, 1, 0x65, 0x88], true),
            ("an IDR slice behind its parameters", parameters + [0, 0, 1, 0x65, 0x88], true),
            ("an IDR slice behind a delimiter", [0, 0, 0, 1, 9, 0x10, 0, 0, 1, 0x65, 0x88], true),
            ("an I slice behind its parameters", parameters + intraSlice, true),
            ("an I slice without parameters", intraSlice, false),
            ("a P slice behind parameters", parameters + predictedSlice, false),
            ("a P slice", predictedSlice, false),
            ("a P slice in front of an IDR slice", predictedSlice + [0, 0, 1, 0x65, 0x88], false),
            ("a recovery point", [0, 0, 1, 6, 6, 1, 0x84, 0x80] + predictedSlice, true),
            (
                "a recovery point behind another message", [0, 0, 1, 6, 5, 2, 1, 2, 6, 1, 0xc4, 0x80] + predictedSlice,
                true
            ),
            ("another message", [0, 0, 1, 6, 5, 2, 6, 1, 0x80] + predictedSlice, false),
            ("a message that claims to be longer than it is", [0, 0, 1, 6, 5, 255, 255, 9] + predictedSlice, false),
            ("a recovery point that is cut off", [0, 0, 1, 6, 6, 1], false),
            // The 3 keeps the zeros from being a start code; the type behind it is 6.
            ("a message of zeros, then a recovery point", [0, 0, 1, 6, 5, 2, 0, 0, 3, 6, 1, 0xc4], true),
            // Type 0 and size 3, which is not the 3 behind two zeros.
            (
                "a recovery point behind a message of three bytes",
                [0, 0, 1, 6, 0, 3, 1, 2, 4, 6, 1, 0x84] + predictedSlice, true
            ),
            ("a slice of type 2", parameters + [0, 0, 1, 0x41, 0b1011_0000, 0x84], true),
            ("a slice of type 3", parameters + [0, 0, 1, 0x41, 0b1001_0000, 0x84], false),
            ("a slice of type 4", parameters + [0, 0, 1, 0x41, 0b1001_0100, 0x84], true),
            ("a slice of type 9", parameters + [0, 0, 1, 0x41, 0b1000_1010, 0x84], true),
            ("a slice in partitions", parameters + [0, 0, 1, 0x42, 0b1000_1000, 0x84], true),
            ("a one behind one zero", [7, 0, 1, 0x65, 0x88], false),
            ("a one behind a zero and another byte", [0, 7, 1, 0x65, 0x88], false),
            ("a start code at each place", [7, 0, 0, 1, 0x65, 0x88], true),
            ("a start code at the next place", [7, 7, 0, 0, 1, 0x65, 0x88], true),
            ("parameters alone", parameters, false),
            ("nothing", [], false), ("a start code", [0, 0, 1], false), ("zeros", [0, 0, 0, 0, 0], false),
            ("no start code", [0x65, 0x88, 0x84], false), ("a slice of one byte", [0, 0, 1, 0x41], false),
            ("a slice of zeros", parameters + [0, 0, 1, 0x41, 0, 0, 3, 0, 0, 3, 0, 0, 3, 0, 0, 3], false),
        ] as [(String, [UInt8], Bool)])
    func `It is known whether decoding can begin`(name: String, bytes: [UInt8], expected: Bool) {
        #expect(H264AccessUnit.isKeyFrame(bytes) == expected, "\(name)")
    }

    @Test func `Any bytes have an answer`() {
        var dice = Dice(seed: 7)
        // Much of what matters: zeros, ones, threes, types.
        let likely: [UInt8] = [0, 0, 0, 1, 3, 6, 0x65, 0x67, 0x41, 0x88, 0xff]
        var (keys, others) = (0, 0)
        for _ in 0..<3000 {
            let length = Int.random(in: 0...40, using: &dice)
            let bytes = (0..<length).map { _ in likely.randomElement(using: &dice) ?? 0 }
            for stream in [bytes, [0, 0, 1] + bytes, [0, 0, 1, 0x65] + bytes] {
                if H264AccessUnit.isKeyFrame(stream) { keys += 1 } else { others += 1 }
            }
        }
        #expect(keys > 3000 && others > 3000, "\(keys) key frames, \(others) others")
    }

    @Test func `Units lie between start codes, without the zeros that fill up`() {
        let bytes: [UInt8] = [7, 0, 0, 1, 0x67, 1, 2, 0, 0, 0, 1, 0x68, 0, 0, 0, 0, 1, 0, 0, 1, 0x65, 0, 0, 3, 0]
        var units: [Range<Int>] = []
        while let unit = AnnexB.nextUnit(in: bytes.span.bytes, from: units.last?.upperBound ?? 0) { units.append(unit) }
        #expect(units == [4..<7, 11..<12, 17..<17, 20..<24])
        #expect(
            units.map { AnnexB.type(of: $0, in: bytes.span.bytes) } == [
                .sequenceParameters, .pictureParameters, nil, .idrSlice,
            ])
    }
}
