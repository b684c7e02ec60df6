// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreMedia
import Testing

@Suite("CMTimeConvertScale") struct CMTimeRoundingTests {
    private static let methods: [CMTimeRoundingMethod] = [
        .roundHalfAwayFromZero, .roundTowardZero, .roundAwayFromZero, .quickTime, .roundTowardPositiveInfinity,
        .roundTowardNegativeInfinity,
    ]

    @Test("The methods have Apple's numbers, and halves away from zero is the default")
    func numbers() {
        #expect(Self.methods.map(\.rawValue) == [1, 2, 3, 4, 5, 6])
        #expect(CMTimeRoundingMethod.default == .roundHalfAwayFromZero)
    }

    /// Tenths, converted to seconds by each of the methods, in the order of their numbers.
    @Test(
        "Each method rounds a value to a smaller timescale as documented",
        arguments: [
            (14, [1, 1, 2, 1, 2, 1]), (15, [2, 1, 2, 1, 2, 1]), (16, [2, 1, 2, 1, 2, 1]),
            (-14, [-1, -1, -2, -1, -1, -2]), (-15, [-2, -1, -2, -1, -1, -2]), (-16, [-2, -1, -2, -1, -1, -2]),
            (4, [0, 0, 1, 0, 1, 0]), (5, [1, 0, 1, 0, 1, 0]), (-4, [0, 0, -1, -1, 0, -1]),
            (-5, [-1, 0, -1, -1, 0, -1]),
        ] as [(Int64, [Int64])])
    func roundsDown(tenths: Int64, expected: [Int64]) {
        for (method, value) in zip(Self.methods, expected) {
            let result = CMTimeConvertScale(time(tenths, 10), timescale: 1, method: method)
            #expect(result.parts == parts(value, 1, isRounded: true), "\(method)")
        }
    }

    /// Thirds, converted to quarters.
    @Test(
        "Each method rounds a value to a larger timescale as documented",
        arguments: [
            (1, [1, 1, 2, 2, 2, 1]), (2, [3, 2, 3, 3, 3, 2]), (-1, [-1, -1, -2, -2, -1, -2]),
            (-2, [-3, -2, -3, -3, -2, -3]),
        ] as [(Int64, [Int64])])
    func roundsUp(thirds: Int64, expected: [Int64]) {
        for (method, value) in zip(Self.methods, expected) {
            let result = time(thirds, 3).convertScale(4, method: method)
            #expect(result.parts == parts(value, 4, isRounded: true), "\(method)")
        }
    }

    @Test("QuickTime's method never rounds a negative time to zero")
    func quickTime() {
        #expect(time(-1, 90_000).convertScale(600, method: .quickTime).parts == parts(-1, 600, isRounded: true))
        #expect(time(1, 90_000).convertScale(600, method: .quickTime).parts == parts(0, 600, isRounded: true))
    }

    @Test("An exact conversion is not rounded by any method", arguments: methods)
    func exact(method: CMTimeRoundingMethod) {
        #expect(time(-3, 2, epoch: 5).convertScale(600, method: method).parts == parts(-900, 600, epoch: 5))
        #expect(time(-900, 600).convertScale(2, method: method).parts == parts(-3, 2))
        #expect(time(.max, 600).convertScale(600, method: method).parts == parts(.max, 600))
    }

    @Test("A rounded time stays flagged after an exact conversion")
    func staysRounded() {
        #expect(time(3, 2, isRounded: true).convertScale(4, method: .default).parts == parts(6, 4, isRounded: true))
    }

    @Test("A time that is not numeric stays the same in any timescale")
    func notNumeric() {
        #expect(CMTime.positiveInfinity.convertScale(600, method: .default).isPositiveInfinity)
        #expect(CMTime.negativeInfinity.convertScale(600, method: .default).isNegativeInfinity)
        #expect(CMTime.indefinite.convertScale(600, method: .default).isIndefinite)
        #expect(!CMTime.invalid.convertScale(600, method: .default).isValid)
    }

    @Test("A conversion that overflows is infinite")
    func overflow() {
        #expect(time(.max, 1).convertScale(2, method: .default).isPositiveInfinity)
        #expect(time(.min, 1).convertScale(2, method: .default).isNegativeInfinity)
        #expect(time(.min, 2).convertScale(1, method: .default).parts == parts(-(1 << 62), 1))
    }

    @Test("A timescale that is not positive makes the result invalid", arguments: [0, -600] as [Int32])
    func invalidTimescale(timescale: Int32) {
        #expect(!time(1, 600).convertScale(timescale, method: .default).isValid)
    }
}
