// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import TestSupport
import Testing

@Suite struct MediaTimeTests {
    @Test func `A sum of NTSC frame durations never drifts`() {
        let frame = MediaTime(value: 1001, timescale: 30000)
        var sum = MediaTime.zero
        for _ in 0..<108_000 { sum = sum + frame }
        #expect(sum == MediaTime(value: 1001 * 108_000, timescale: 30000))
        #expect(sum == frame * 108_000)
        #expect(sum - frame * 108_000 == .zero)
    }

    @Test func `Equal times are equal and hash alike whatever their timescale`() {
        let half = MediaTime(value: 1, timescale: 2)
        let times = [
            half, MediaTime(value: 15, timescale: 30), MediaTime(value: 500_000_000, timescale: 1_000_000_000),
        ]
        #expect(Set(times).count == 1)
        let zeros = [MediaTime.zero, MediaTime(value: 0, timescale: .max), MediaTime(value: 0, timescale: -5)]
        #expect(Set(zeros).count == 1)
        let ends = [MediaTime(value: .min, timescale: 2), MediaTime(value: .min / 2, timescale: 1)]
        #expect(Set(ends).count == 1)
        #expect(half != MediaTime(value: 500_000_001, timescale: 1_000_000_000))
    }

    @Test func `Order is exact where a Double could not tell`() {
        let large = MediaTime(value: .max, timescale: 1)
        #expect(MediaTime(value: .max - 1, timescale: 1) < large)
        #expect(MediaTime(value: .max, timescale: 2) < MediaTime(value: .max / 2 + 1, timescale: 1))
        #expect(MediaTime(value: .min, timescale: 1) < MediaTime(value: .min, timescale: 2))
    }

    @Test(
        arguments: [
            (3, 2, 1, 2), (5, 2, 1, 3), (-3, 2, 1, -2), (-5, 2, 1, -3), (1, 3, 1, 0), (2, 3, 1, 1),
            (1, 3, 90_000, 30_000),
            (Int64.max, 1, 1000, Int64.max), (Int64.min, 1, 1000, Int64.min), (7, 0, 0, 7),
        ] as [(Int64, Int32, Int32, Int64)])
    func `Another timescale rounds to the nearest unit, half away from zero, and saturates`(
        value: Int64, from: Int32, to: Int32, expected: Int64
    ) {
        let converted = MediaTime(value: value, timescale: from).converted(toTimescale: to)
        #expect(converted.value == expected)
        #expect(converted.timescale == max(1, to))
    }

    @Test func `Seconds that are no number, or too many, are a time all the same`() {
        #expect(MediaTime(seconds: .nan) == .zero)
        #expect(MediaTime(seconds: .infinity).value == .max)
        #expect(MediaTime(seconds: -.infinity).value == .min)
        #expect(MediaTime(seconds: 1e300).value == .max)
        #expect(MediaTime(seconds: 9.2e9).value == .max)
        #expect(MediaTime(seconds: 0.04) == MediaTime(value: 1, timescale: 25))
    }

    @Test func `Host times and durations saturate at their ends`() {
        let end = HostTime(nanoseconds: .max)
        #expect(end + .seconds(1) == end)
        #expect(HostTime(nanoseconds: .min) + .seconds(-1) == HostTime(nanoseconds: .min))
        #expect(end - HostTime(nanoseconds: .min) == .nanoseconds(Int64.max))
        #expect(HostTime(nanoseconds: .min) - end == .nanoseconds(Int64.min))
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
        #expect(Duration.nanoseconds(-1).wholeNanoseconds == -1)
    }

    @Test func `Random sums, differences and multiples agree with exact arithmetic`() {
        var generator = Dice(seed: 1)
        for _ in 0..<30_000 {
            let (a, b) = (time(&generator), time(&generator))
            let (av, at, bv, bt) = (Int128(a.value), Int128(a.timescale), Int128(b.value), Int128(b.timescale))
            expect(a + b, isNearest: av * bt + bv * at, over: at * bt)
            expect(a - b, isNearest: av * bt - bv * at, over: at * bt)
            let factor = value(&generator)
            expect(a * factor, isNearest: av * Int128(factor), over: at)
            #expect((a < b) == (av * bt < bv * at))
            #expect((a == b) == (av * bt == bv * at))
        }
    }

    @Test func `A fraction at the very end of 128 bits saturates`() {
        // Its whole nanoseconds just fit 128 bits, and the rounded rest no more.
        let whole = Int128.max / 1_000_000_000
        #expect(MediaTime(numerator: whole * 20 + 19, denominator: 20).value == .max)
        #expect(MediaTime(numerator: -whole * 20 - 19, denominator: 20).value == .min)
        #expect(MediaTime(numerator: .max, denominator: 1).value == .max)
    }

    // MARK: The check

    /// Numbers of all magnitudes, and often the ends of the range.
    private func value(_ generator: inout Dice) -> Int64 {
        let ends: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        if Int.random(in: 0..<6, using: &generator) == 0 { return ends.randomElement(using: &generator) ?? 0 }
        let number = Int64(truncatingIfNeeded: generator.next())
        return number >> Int64.random(in: 0..<64, using: &generator)
    }

    private func time(_ generator: inout Dice) -> MediaTime {
        let usual: [Int32] = [1, 24, 25, 30_000, 90_000, 1_000_000_000, .max, .max - 1, 48_000]
        let timescale =
            Bool.random(using: &generator)
            ? usual.randomElement(using: &generator) ?? 1 : Int32.random(in: 1...(.max), using: &generator)
        return MediaTime(value: value(&generator), timescale: timescale)
    }

    /// Exact where a fraction of 64 and 32 bits can say it, else to the nanosecond, else to the second.
    private func expect(
        _ result: MediaTime, isNearest numerator: Int128, over denominator: Int128,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = Wide(numerator, Int128(result.timescale)).minus(Wide(Int128(result.value), denominator))
        let divisor = Int128(divisor(numerator.magnitude, denominator.magnitude))
        let isExact =
            Int64(exactly: numerator / divisor) != nil && Int32(exactly: denominator / divisor) != nil
            || Int64(exactly: numerator / divisor) != nil && denominator == Int128(result.timescale)
        if isExact {
            #expect(error.isZero, "\(numerator)/\(denominator) is not \(result)", sourceLocation: sourceLocation)
        } else if result.timescale == 1_000_000_000, !error.isZero {
            // The error is in units of 1 / (denominator * timescale): half a nanosecond is half the denominator.
            #expect(
                error.magnitudeDoubled(isAtMost: denominator), "\(numerator)/\(denominator) is not \(result)",
                sourceLocation: sourceLocation)
        } else if !error.isZero {
            let isSaturated = result.value == .max || result.value == .min
            let isBeyond = (numerator / denominator).magnitude >= UInt128(Int64.max) / 1_000_000_000
            #expect(
                isBeyond && (isSaturated || error.magnitudeDoubled(isAtMost: denominator)),
                "\(numerator)/\(denominator) is not \(result)", sourceLocation: sourceLocation)
        }
    }

    private func divisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
        b == 0 ? max(1, a) : divisor(b, a % b)
    }

    @Test("A time is shown in seconds where decimals can say it, else as a fraction; and exactly for debugging")
    func descriptions() {
        let shown: [(Int64, Int32, String)] = [
            (23_891_760_198_435, 1_000_000_000, "23891.760198435 s"), (1001, 30_000, "1001/30000 s"), (3, 1, "3 s"),
            (45_000, 90_000, "0.5 s"), (-1, 40, "-0.025 s"), (1, 3, "1/3 s"), (0, 30, "0 s"), (90, 30, "3 s"),
            (1, 1_048_576, "1/1048576 s"),
            (1, 512, "0.001953125 s"), (1, 1024, "1/1024 s"), (.max, 1, "9223372036854775807 s"),
            (.min, 1000, "-9223372036854775.808 s"),
        ]
        for (value, timescale, text) in shown {
            #expect(MediaTime(value: value, timescale: timescale).description == text)
        }
        #expect(MediaTime(value: 45_000, timescale: 90_000).debugDescription == "45000/90000 s")
    }
}

/// A signed number of 256 bits: just enough to hold the exact products.
private struct Wide {
    var high: Int128
    var low: UInt128

    init(_ a: Int128, _ b: Int128) {
        (high, low) = a.multipliedFullWidth(by: b)
    }

    func minus(_ other: Wide) -> Wide {
        var result = self
        let (low, borrow) = self.low.subtractingReportingOverflow(other.low)
        result.low = low
        result.high = high &- other.high &- (borrow ? 1 : 0)
        return result
    }

    var isZero: Bool { high == 0 && low == 0 }

    func magnitudeDoubled(isAtMost bound: Int128) -> Bool {
        var (high, low) = (high, low)
        if high < 0 {
            (low, high) = (~low &+ 1, ~high &+ (low == 0 ? 1 : 0))
        }
        return high == 0 && low <= UInt128(Int128.max) && low * 2 <= UInt128(bound)
    }
}
