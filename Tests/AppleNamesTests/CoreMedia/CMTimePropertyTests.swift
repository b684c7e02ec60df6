// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreMedia
import Testing

/// Random times, compared with fractions of 128 bits.
@Suite("CMTime, for many values") struct CMTimePropertyTests {
    private static let count = 2000

    /// Whether a time is a fraction: exactly, or rounded to the nearest value and flagged.
    private func isNearest(_ time: CMTime, _ numerator: Int128, _ denominator: Int128) -> Bool {
        let error = Int128(time.value) * denominator - numerator * Int128(time.timescale)
        return time.hasBeenRounded ? error != 0 && error.magnitude * 2 <= denominator.magnitude : error == 0
    }

    /// Whether a fraction in a timescale, rounded, has more than 64 bits.
    private func overflows(_ numerator: Int128, _ denominator: Int128, timescale: Int128) -> Bool {
        let product = numerator * timescale * 2
        return product >= (Int128(Int64.max) * 2 + 1) * denominator
            || product <= (Int128(Int64.min) * 2 - 1) * denominator
    }

    @Test("Sums and differences are the nearest times to the exact fractions")
    func sums() {
        var generator = FixedGenerator()
        for _ in 0..<Self.count {
            let (one, other) = (generator.time(), generator.time())
            let (timescale, otherTimescale) = (Int128(one.timescale), Int128(other.timescale))
            let (value, otherValue) = (Int128(one.value) * otherTimescale, Int128(other.value) * timescale)
            let denominator = timescale * otherTimescale
            for (result, numerator) in [(one + other, value + otherValue), (one - other, value - otherValue)] {
                if result.isNumeric {
                    #expect(isNearest(result, numerator, denominator), "\(one) \(other)")
                } else {
                    #expect(overflows(numerator, denominator, timescale: 1), "\(one) \(other)")
                    #expect(numerator > 0 ? result.isPositiveInfinity : result.isNegativeInfinity)
                }
            }
        }
    }

    @Test("A sum is in the least common multiple unless that or the value overflows")
    func timescales() {
        var generator = FixedGenerator()
        for _ in 0..<Self.count {
            let (one, other) = (generator.time(), generator.time())
            var multiple = Int128(one.timescale)
            while multiple % Int128(other.timescale) != 0, multiple <= Int128(Int32.max) {
                multiple += Int128(one.timescale)
                // Large multiples are found by the sums above; this loop is for small ones.
                if multiple > Int128(one.timescale) * 200 { multiple = .max }
            }
            let result = one + other
            guard multiple <= Int128(Int32.max), result.isNumeric else { continue }
            let isHalved = Int128(result.timescale) < multiple
            let sum =
                Int128(one.value) * (multiple / Int128(one.timescale))
                + Int128(other.value) * (multiple / Int128(other.timescale))
            #expect(isHalved == (Int64(exactly: sum) == nil), "\(one) \(other)")
        }
    }

    @Test("Comparisons agree with the exact fractions")
    func comparisons() {
        var generator = FixedGenerator()
        for _ in 0..<Self.count {
            let one = generator.time()
            let other =
                Bool.random(using: &generator)
                ? generator.time() : one.convertScale(generator.timescale(), method: .default)
            guard other.isNumeric else { continue }
            let difference =
                Int128(one.value) * Int128(other.timescale) - Int128(other.value) * Int128(one.timescale)
            #expect(CMTimeCompare(one, other) == Int32(difference.signum()), "\(one) \(other)")
            if difference == 0 { #expect(one.hashValue == other.hashValue) }
        }
    }

    @Test("Products with integers and ratios are the nearest times to the exact fractions")
    func products() {
        var generator = FixedGenerator()
        for _ in 0..<Self.count {
            let time = generator.time()
            let multiplier = Int32(truncatingIfNeeded: generator.value())
            let divisor = generator.timescale()
            let numerator = Int128(time.value) * Int128(multiplier)
            for (result, denominator) in [
                (CMTimeMultiply(time, multiplier: multiplier), Int128(time.timescale)),
                (
                    CMTimeMultiplyByRatio(time, multiplier: multiplier, divisor: divisor),
                    Int128(time.timescale) * Int128(divisor)
                ),
            ] {
                if result.isNumeric {
                    #expect(isNearest(result, numerator, denominator), "\(time) \(multiplier) \(divisor)")
                } else {
                    #expect(overflows(numerator, denominator, timescale: 1), "\(time) \(multiplier) \(divisor)")
                }
            }
        }
    }

    @Test("Products with floating-point numbers are the nearest times to the exact fractions")
    func numbers() {
        var generator = FixedGenerator()
        for _ in 0..<Self.count {
            let time = generator.time()
            // Eighths of integers, which floating-point numbers represent exactly.
            let eighths = Int32(truncatingIfNeeded: generator.value())
            let result = CMTimeMultiplyByFloat64(time, multiplier: Double(eighths) / 8)
            let numerator = Int128(time.value) * Int128(eighths)
            let denominator = Int128(time.timescale) * 8
            if result.isNumeric {
                #expect(isNearest(result, numerator, denominator), "\(time) \(eighths)")
            } else {
                #expect(overflows(numerator, denominator, timescale: 1), "\(time) \(eighths)")
            }
        }
    }

    @Test("Conversions are rounded by less than one unit, in the direction of the method")
    func conversions() {
        var generator = FixedGenerator()
        for _ in 0..<Self.count {
            let (time, timescale) = (generator.time(), generator.timescale())
            let (numerator, denominator) = (Int128(time.value) * Int128(timescale), Int128(time.timescale))
            func error(_ method: CMTimeRoundingMethod) -> Int128? {
                let result = time.convertScale(timescale, method: method)
                return result.isNumeric ? Int128(result.value) * denominator - numerator : nil
            }
            guard let nearest = error(.default), let up = error(.roundTowardPositiveInfinity),
                let down = error(.roundTowardNegativeInfinity), let toward = error(.roundTowardZero),
                let away = error(.roundAwayFromZero)
            else {
                #expect(
                    overflows(numerator, denominator, timescale: 1) || numerator.magnitude > denominator.magnitude << 62
                )
                continue
            }
            #expect(nearest.magnitude * 2 <= denominator.magnitude)
            #expect((0..<denominator).contains(up) && (0..<denominator).contains(-down))
            #expect(time.value < 0 ? toward == up && away == down : toward == down && away == up)
        }
    }

    @Test("Every function returns a time for every combination of extreme operands")
    func extremes() {
        let values: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        let timescales: [Int32] = [.min, -1, 0, 1, 2, 65_535, 65_536, .max - 1, .max]
        let times =
            values.flatMap { value in timescales.map { time(value, $0) } }
            + [.invalid, .indefinite, .positiveInfinity, .negativeInfinity]
        var numeric = 0
        var disagreements = 0
        for time in times {
            for multiplier in [.min, -1, 0, 1, .max] as [Int32] {
                numeric += CMTimeMultiply(time, multiplier: multiplier).isNumeric ? 1 : 0
                numeric += time.convertScale(multiplier, method: .quickTime).isNumeric ? 1 : 0
                for divisor in [.min, -1, 0, 1, .max] as [Int32] {
                    let ratio = CMTimeMultiplyByRatio(time, multiplier: multiplier, divisor: divisor)
                    numeric += ratio.isNumeric ? 1 : 0
                }
            }
            for multiplier in [-.infinity, -1e308, -0.0, .leastNonzeroMagnitude, 1, 1e308, .nan] as [Double] {
                numeric += CMTimeMultiplyByFloat64(time, multiplier: multiplier).isNumeric ? 1 : 0
            }
            for other in times {
                numeric += (time + other).isNumeric ? 1 : 0
                numeric += (time - other).isNumeric ? 1 : 0
                disagreements += CMTimeCompare(time, other) == -CMTimeCompare(other, time) ? 0 : 1
            }
        }
        #expect(numeric > 0 && disagreements == 0)
    }
}
