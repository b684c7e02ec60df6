// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreMedia
import Testing

@Suite("Arithmetic of CMTime") struct CMTimeArithmeticTests {
    /// One time of each kind that is not numeric.
    private static let invalid = CMTime.invalid
    private static let (positive, negative) = (CMTime.positiveInfinity, CMTime.negativeInfinity)

    // MARK: Sums

    @Test("Times of the same timescale keep it")
    func sameTimescale() {
        #expect((time(1, 30) + time(29, 30)).parts == parts(30, 30))
        #expect((time(1, 30) - time(29, 30)).parts == parts(-28, 30))
    }

    @Test("Times of different timescales add exactly, in the least common multiple")
    func differentTimescales() {
        #expect(CMTimeAdd(time(1, 30), time(1, 24)).parts == parts(9, 120))
        #expect(CMTimeSubtract(time(1, 30), time(1, 24)).parts == parts(-1, 120))
        #expect(CMTimeAdd(.zero, time(5, 600)).parts == parts(5, 600))
    }

    @Test("A least common multiple above the largest timescale is replaced by that, and the value rounded")
    func largestTimescale() {
        let sum = CMTimeAdd(time(1, 2_147_483_629), time(1, 2_147_483_587))
        #expect(sum.parts == parts(2, .max, isRounded: true))
        let exact = CMTimeAdd(time(0, 2_147_483_629), time(2_147_483_587, 2_147_483_587))
        #expect(exact.parts == parts(2_147_483_647, .max))
    }

    @Test("A value that overflows is rounded in half the timescale, as often as necessary")
    func overflow() {
        #expect((time(.max, 600) + time(2, 600)).parts == parts((1 << 62) + 1, 300, isRounded: true))
        #expect((time(.max, 4) + time(1, 4)).parts == parts(1 << 62, 2))
        // 11, then 5: half of an odd timescale is rounded down.
        #expect((time(.max, 11) + time(.max, 11)).parts == parts(8_384_883_669_867_978_006, 5, isRounded: true))
    }

    @Test("A sum that overflows in the timescale 1 is infinite")
    func infiniteSums() {
        #expect((time(.max, 1) + time(1, 1)).isPositiveInfinity)
        #expect((time(.min, 1) - time(1, 1)).isNegativeInfinity)
        #expect((time(.max, 1) - time(.min, 1)).isPositiveInfinity)
        #expect((time(.max, 1) + time(.min, 1)).parts == parts(-1, 1))
    }

    @Test("A result of a rounded time is flagged as rounded")
    func roundedOperands() {
        let rounded = time(1, 2, isRounded: true)
        #expect((rounded + time(1, 2)).hasBeenRounded && (time(1, 2) - rounded).hasBeenRounded)
        #expect(!(time(1, 2) + time(1, 3)).hasBeenRounded)
        #expect(CMTimeMultiply(rounded, multiplier: 2).hasBeenRounded)
        #expect(CMTimeMultiplyByFloat64(rounded, multiplier: 2).hasBeenRounded)
        #expect(CMTimeMultiplyByRatio(rounded, multiplier: 2, divisor: 3).hasBeenRounded)
        #expect(CMTimeMultiplyByFloat64(rounded, multiplier: 0).hasBeenRounded)
        #expect(CMTimeMultiplyByRatio(rounded, multiplier: 0, divisor: 3).hasBeenRounded)
    }

    @Test("A sum with an invalid time is invalid", arguments: [.zero, .indefinite, .positiveInfinity] as [CMTime])
    func invalidOperands(other: CMTime) {
        #expect(!(Self.invalid + other).isValid && !(other + Self.invalid).isValid)
        #expect(!(Self.invalid - other).isValid && !(other - Self.invalid).isValid)
    }

    @Test("A sum with one infinity is infinite", arguments: [.zero, .indefinite, time(.max, 1)] as [CMTime])
    func oneInfinity(other: CMTime) {
        #expect((Self.positive + other).isPositiveInfinity && (other + Self.positive).isPositiveInfinity)
        #expect((Self.negative + other).isNegativeInfinity && (other + Self.negative).isNegativeInfinity)
        #expect((Self.positive - other).isPositiveInfinity && (other - Self.positive).isNegativeInfinity)
        #expect((Self.negative - other).isNegativeInfinity && (other - Self.negative).isPositiveInfinity)
    }

    @Test("Infinities of the same sign add, and those of opposite signs are invalid")
    func twoInfinities() {
        #expect(
            (Self.positive + Self.positive).isPositiveInfinity && (Self.negative + Self.negative).isNegativeInfinity)
        #expect(!(Self.positive + Self.negative).isValid && !(Self.negative + Self.positive).isValid)
        #expect(!(Self.positive - Self.positive).isValid && !(Self.negative - Self.negative).isValid)
        #expect(
            (Self.positive - Self.negative).isPositiveInfinity && (Self.negative - Self.positive).isNegativeInfinity)
    }

    @Test("A sum of an indefinite time and a numeric or indefinite one is indefinite")
    func indefiniteOperands() {
        #expect((CMTime.indefinite + .zero).isIndefinite && (CMTime.zero - .indefinite).isIndefinite)
        #expect((CMTime.indefinite + .indefinite).isIndefinite)
    }

    @Test("A time of epoch 0 can be added to one of any epoch; two of the same epoch have a result of epoch 0")
    func epochs() {
        #expect((time(1, 1, epoch: 2) + time(1, 1)).parts == parts(2, 1, epoch: 2))
        #expect((time(1, 1, epoch: 2) - time(1, 1)).parts == parts(0, 1, epoch: 2))
        #expect((time(5, 1, epoch: 2) - time(1, 1, epoch: 2)).parts == parts(4, 1))
        #expect((time(5, 1, epoch: 2) + time(1, 1, epoch: 2)).parts == parts(6, 1))
    }

    @Test("Times of different epochs other than 0 cannot be added")
    func differentEpochs() {
        #expect(!(time(1, 1, epoch: 1) + time(1, 1, epoch: 2)).isValid)
        #expect(!(time(1, 1, epoch: 1) - time(1, 1, epoch: -1)).isValid)
    }

    @Test(
        "A numeric time with a timescale that is not positive is invalid in calculations",
        arguments: [0, -1] as [Int32])
    func invalidTimescales(timescale: Int32) {
        let malformed = time(5, timescale)
        #expect(!(malformed + .zero).isValid && !(CMTime.zero - malformed).isValid)
        #expect(!CMTimeMultiply(malformed, multiplier: 2).isValid)
        #expect(!CMTimeMultiplyByFloat64(malformed, multiplier: 2).isValid)
        #expect(!CMTimeMultiplyByRatio(malformed, multiplier: 2, divisor: 3).isValid)
        #expect(!malformed.convertScale(600, method: .default).isValid)
        #expect(malformed == .invalid && malformed.hashValue == CMTime.invalid.hashValue)
    }

    // MARK: Products with integers

    @Test("A product with an integer keeps the timescale and the epoch")
    func products() {
        #expect(CMTimeMultiply(time(3, 30, epoch: 1), multiplier: -4).parts == parts(-12, 30, epoch: 1))
        #expect(CMTimeMultiply(time(3, 30), multiplier: 0).parts == parts(0, 30))
    }

    @Test("A product that overflows halves the timescale, and is infinite if it never fits")
    func productOverflow() {
        #expect(CMTimeMultiply(time(.max, 8), multiplier: 2).parts == parts(.max, 4))
        #expect(CMTimeMultiply(time(.max, 1), multiplier: 2).isPositiveInfinity)
        #expect(CMTimeMultiply(time(.max, 1), multiplier: -2).isNegativeInfinity)
        #expect(CMTimeMultiply(time(.min, 1), multiplier: .min).isPositiveInfinity)
    }

    @Test("An infinite product has the sign of both operands, and is invalid for zero")
    func infiniteProducts() {
        #expect(CMTimeMultiply(Self.positive, multiplier: -2).isNegativeInfinity)
        #expect(CMTimeMultiply(Self.negative, multiplier: -2).isPositiveInfinity)
        #expect(!CMTimeMultiply(Self.positive, multiplier: 0).isValid)
        #expect(CMTimeMultiplyByFloat64(Self.negative, multiplier: 0.5).isNegativeInfinity)
        #expect(!CMTimeMultiplyByFloat64(Self.negative, multiplier: 0).isValid)
        #expect(CMTimeMultiplyByRatio(Self.negative, multiplier: 1, divisor: -2).isPositiveInfinity)
        #expect(!CMTimeMultiplyByRatio(Self.negative, multiplier: 0, divisor: -2).isValid)
    }

    @Test("A product of an invalid or an indefinite time is that")
    func otherProducts() {
        let indefinite = CMTime.indefinite
        #expect(!CMTimeMultiply(Self.invalid, multiplier: 2).isValid)
        #expect(!CMTimeMultiplyByFloat64(Self.invalid, multiplier: 2).isValid)
        #expect(!CMTimeMultiplyByRatio(Self.invalid, multiplier: 2, divisor: 3).isValid)
        #expect(CMTimeMultiply(indefinite, multiplier: 0).isIndefinite)
        #expect(CMTimeMultiplyByFloat64(indefinite, multiplier: 2).isIndefinite)
        #expect(CMTimeMultiplyByRatio(indefinite, multiplier: 2, divisor: 0).isIndefinite)
    }

    // MARK: Products with floating-point numbers

    @Test(
        "A product with a number doubles the timescale until it is at least 65,536",
        arguments: [(1, 131_072 / 2), (600, 76_800), (90_000, 90_000), (65_535, 131_070)] as [(Int32, Int32)])
    func doublesTimescale(timescale: Int32, expected: Int32) {
        let product = CMTimeMultiplyByFloat64(time(3, timescale, epoch: 1), multiplier: 1)
        #expect(product.parts == parts(Int64(3 * expected / timescale), expected, epoch: 1))
        #expect(CMTimeMultiplyByFloat64(time(3, timescale), multiplier: 0).parts == parts(0, expected))
    }

    @Test("A product with a number is rounded to the nearest value, halves away from zero")
    func roundsProducts() {
        #expect(CMTimeMultiplyByFloat64(time(3, 65_536), multiplier: 0.5).parts == parts(2, 65_536, isRounded: true))
        #expect(CMTimeMultiplyByFloat64(time(-3, 65_536), multiplier: 0.5).parts == parts(-2, 65_536, isRounded: true))
        #expect(CMTimeMultiplyByFloat64(time(1, 90_000), multiplier: 1.499).parts == parts(1, 90_000, isRounded: true))
        #expect(CMTimeMultiplyByFloat64(time(1, 2), multiplier: 1.5).parts == parts(49_152, 65_536))
        #expect(
            CMTimeMultiplyByFloat64(time(.max, 1), multiplier: .leastNonzeroMagnitude).parts
                == parts(0, 65_536, isRounded: true))
    }

    @Test("A product with a number that overflows halves the timescale, and is infinite if it never fits")
    func numberOverflow() {
        #expect(CMTimeMultiplyByFloat64(time(1 << 50, 1), multiplier: 2).parts == parts(1 << 62, 1 << 11))
        #expect(CMTimeMultiplyByFloat64(time(.max, 1), multiplier: 1).parts == parts(.max, 1))
        #expect(CMTimeMultiplyByFloat64(time(.max, 1), multiplier: -1.5).isNegativeInfinity)
        #expect(CMTimeMultiplyByFloat64(time(1, 1), multiplier: 1e300).isPositiveInfinity)
        #expect(CMTimeMultiplyByFloat64(time(1 << 62, 1), multiplier: 0x1p80).isPositiveInfinity)
        #expect(CMTimeMultiplyByFloat64(time(1, 1 << 30), multiplier: 0x1p90).parts == parts(1 << 62, 4))
        #expect(CMTimeMultiplyByFloat64(time(-1, 1), multiplier: .infinity).isNegativeInfinity)
    }

    @Test("A product with a number that is not one, and of zero and infinity, is invalid")
    func invalidNumbers() {
        #expect(!CMTimeMultiplyByFloat64(time(1, 1), multiplier: .nan).isValid)
        #expect(!CMTimeMultiplyByFloat64(.zero, multiplier: .infinity).isValid)
    }

    // MARK: Products with ratios

    @Test("A product with a ratio is exact, in the timescale times the reduced divisor")
    func ratios() {
        #expect(CMTimeMultiplyByRatio(time(1, 30, epoch: 1), multiplier: 4, divisor: 6).parts == parts(2, 90, epoch: 1))
        #expect(CMTimeMultiplyByRatio(time(1, 3), multiplier: 3, divisor: 1).parts == parts(3, 3))
        #expect(CMTimeMultiplyByRatio(time(1, 3), multiplier: 2, divisor: -5).parts == parts(-2, 15))
        #expect(CMTimeMultiplyByRatio(time(1, 3), multiplier: .min, divisor: .min).parts == parts(1, 3))
    }

    @Test("A zero times a ratio keeps its timescale")
    func zeroRatio() {
        #expect(CMTimeMultiplyByRatio(time(0, 30), multiplier: 4, divisor: 7).parts == parts(0, 30))
        #expect(CMTimeMultiplyByRatio(time(5, 30), multiplier: 0, divisor: 7).parts == parts(0, 30))
    }

    @Test("A fraction that is too large is reduced first")
    func reducesRatios() {
        let product = CMTimeMultiplyByRatio(time(1 << 62, 1 << 30), multiplier: 3, divisor: 1)
        #expect(product.parts == parts(3 << 32, 1))
        let small = CMTimeMultiplyByRatio(time(1_000_000, 1_000_000_000), multiplier: 3, divisor: 1_000_000)
        #expect(small.parts == parts(3, 1_000_000_000))
    }

    @Test("A ratio without an exact time is rounded in the largest timescale in which it fits")
    func roundsRatios() {
        let thirds = CMTimeMultiplyByRatio(time(1, 1_000_000_007), multiplier: 1, divisor: 3)
        #expect(thirds.parts == parts(1, .max, isRounded: true))
        let large = CMTimeMultiplyByRatio(time(.max, 1), multiplier: 2, divisor: 3)
        #expect(large.parts == parts(6_148_914_691_236_517_205, 1, isRounded: true))
        let larger = CMTimeMultiplyByRatio(time(.max, 1000), multiplier: 7, divisor: 3)
        #expect(larger.parts == parts(9_211_074_207_472_302_773, 428, isRounded: true))
        #expect(CMTimeMultiplyByRatio(time(.max, 1), multiplier: 3, divisor: 2).isPositiveInfinity)
        #expect(CMTimeMultiplyByRatio(time(.min, 1), multiplier: 3, divisor: 2).isNegativeInfinity)
    }

    @Test("A ratio with the divisor zero is infinite with the sign of the product, or invalid for zero")
    func divisionByZero() {
        #expect(CMTimeMultiplyByRatio(time(1, 3), multiplier: 2, divisor: 0).isPositiveInfinity)
        #expect(CMTimeMultiplyByRatio(time(-1, 3), multiplier: 2, divisor: 0).isNegativeInfinity)
        #expect(!CMTimeMultiplyByRatio(time(0, 3), multiplier: 2, divisor: 0).isValid)
        #expect(!CMTimeMultiplyByRatio(time(1, 3), multiplier: 0, divisor: 0).isValid)
    }
}
