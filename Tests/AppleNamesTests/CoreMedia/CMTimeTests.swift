// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreMedia
import Testing

@Suite("CMTime") struct CMTimeTests {
    @Test("A time of a value and a timescale is valid, numeric and of epoch 0")
    func creation() {
        for time in [CMTime(value: 3, timescale: 2), CMTimeMake(value: 3, timescale: 2)] {
            #expect(time.parts == parts(3, 2))
            #expect(time.flags == .valid)
        }
        #expect(CMTimeMakeWithEpoch(value: 3, timescale: 2, epoch: 7).parts == parts(3, 2, epoch: 7))
    }

    @Test("A timescale that is not positive makes a time invalid", arguments: [0, -1, .min] as [Int32])
    func invalidTimescale(timescale: Int32) {
        #expect(!CMTime(value: 1, timescale: timescale).isValid)
        #expect(!CMTimeMakeWithEpoch(value: 1, timescale: timescale, epoch: 1).isValid)
        #expect(!CMTime(seconds: 1, preferredTimescale: timescale).isValid)
    }

    @Test("An initializer without arguments creates an invalid time")
    func invalidInitializer() {
        #expect(!CMTime().isValid)
        #expect(CMTime().flags == [])
    }

    @Test("Constants have the kinds that their names say, also under their former names")
    func constants() {
        #expect(CMTime.zero.parts == parts(0, 1) && kCMTimeZero.parts == parts(0, 1))
        #expect(CMTIME_IS_INVALID(.invalid) && CMTIME_IS_INVALID(kCMTimeInvalid) && !CMTIME_IS_VALID(.invalid))
        #expect(CMTIME_IS_INDEFINITE(.indefinite) && CMTIME_IS_INDEFINITE(kCMTimeIndefinite))
        #expect(CMTIME_IS_POSITIVEINFINITY(.positiveInfinity) && CMTIME_IS_POSITIVEINFINITY(kCMTimePositiveInfinity))
        #expect(CMTIME_IS_NEGATIVEINFINITY(.negativeInfinity) && CMTIME_IS_NEGATIVEINFINITY(kCMTimeNegativeInfinity))
        #expect(kCMTimeMaxTimescale == 2_147_483_647)
    }

    @Test("Only fractions are numeric")
    func numeric() {
        #expect(CMTIME_IS_NUMERIC(.zero))
        for time in [.invalid, .indefinite, .positiveInfinity, .negativeInfinity] as [CMTime] {
            #expect(!CMTIME_IS_NUMERIC(time))
            #expect(!CMTIME_HAS_BEEN_ROUNDED(time))
        }
    }

    @Test("Without the flag that a time is valid, the other flags have no meaning")
    func flagsOfInvalidTimes() {
        let time = CMTime(value: 1, timescale: 1, flags: [.positiveInfinity, .indefinite, .hasBeenRounded], epoch: 0)
        #expect(!time.isValid && !time.isPositiveInfinity && !time.isIndefinite && !time.hasBeenRounded)
    }

    // MARK: Seconds

    @Test(
        "Seconds become the value in the preferred timescale",
        arguments: [(0.5, 600, 300), (-0.25, 4, -1), (3, 1, 3), (0, 90_000, 0)] as [(Double, Int32, Int64)])
    func fromSeconds(seconds: Double, timescale: Int32, value: Int64) {
        #expect(CMTime(seconds: seconds, preferredTimescale: timescale).parts == parts(value, timescale))
        #expect(CMTimeMakeWithSeconds(seconds, preferredTimescale: timescale).parts == parts(value, timescale))
    }

    @Test(
        "Seconds between two values are rounded toward zero and flagged",
        arguments: [(3.25, 1, 3), (1.9, 1, 1), (-1.9, 1, -1), (0.999, 100, 99)] as [(Double, Int32, Int64)])
    func roundsSeconds(seconds: Double, timescale: Int32, value: Int64) {
        let time = CMTime(seconds: seconds, preferredTimescale: timescale)
        #expect(time.parts == parts(value, timescale, isRounded: true))
    }

    @Test("The timescale is halved until seconds fit")
    func halvesTimescale() {
        let time = CMTime(seconds: 0x1p40, preferredTimescale: 1 << 30)
        #expect(time.parts == parts(1 << 62, 1 << 22))
        let odd = CMTime(seconds: 0x1p61, preferredTimescale: 7)
        #expect(odd.parts == parts(3 << 61, 3))
    }

    @Test("Seconds that overflow in the timescale 1 are infinite")
    func infiniteSeconds() {
        for seconds in [0x1p63, 1e300, .infinity] as [Double] {
            #expect(CMTime(seconds: seconds, preferredTimescale: 600).isPositiveInfinity)
            #expect(CMTime(seconds: -seconds.nextUp, preferredTimescale: 600).isNegativeInfinity)
        }
    }

    @Test("Seconds that are not a number make a time invalid")
    func notANumber() {
        #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
    }

    @Test("The seconds of a numeric time are its fraction, in any epoch")
    func seconds() {
        #expect(CMTime(value: 43, timescale: 10).seconds == 4.3)
        #expect(CMTimeGetSeconds(time(-1, 4, epoch: 9)) == -0.25)
    }

    @Test("The seconds of infinities are infinite, and those of invalid and indefinite times are not a number")
    func secondsOfOtherTimes() {
        #expect(CMTime.positiveInfinity.seconds == .infinity)
        #expect(CMTime.negativeInfinity.seconds == -.infinity)
        #expect(CMTime.invalid.seconds.isNaN)
        #expect(CMTime.indefinite.seconds.isNaN)
    }

    // MARK: Comparison

    /// Each kind, in the order that Apple documents.
    private static let ordered: [CMTime] = [
        .negativeInfinity, time(.min, 1), time(-1, 600), .zero, time(1, .max), time(1, 600), time(.max, 1),
        time(-5, 1, epoch: 1), .indefinite, .positiveInfinity, .invalid,
    ]

    @Test("Times are ordered: negative infinity, numeric, indefinite, positive infinity, invalid")
    func order() {
        for (index, one) in Self.ordered.enumerated() {
            for (otherIndex, other) in Self.ordered.enumerated() {
                let order = Int32((index - otherIndex).signum())
                #expect(CMTimeCompare(one, other) == order)
                #expect(
                    (one < other) == (order < 0) && (one == other) == (order == 0) && (one >= other) == (order >= 0))
            }
        }
        #expect(Self.ordered.shuffled().sorted().map(\.parts) == Self.ordered.map(\.parts))
    }

    @Test("Times of different timescales are equal, with equal hashes, if their fractions are")
    func equality() {
        let times = [time(1, 2), time(300, 600), time(45_000, 90_000), time(300, 600, isRounded: true)]
        #expect(Set(times).count == 1)
        #expect(Set(times.map(\.hashValue)).count == 1)
        #expect(time(1, 2) != time(300, 601))
        #expect(time(0, 7) == .zero && time(0, 7).hashValue == CMTime.zero.hashValue)
    }

    @Test("A time of a smaller epoch is less than any of a greater one")
    func epochs() {
        #expect(time(100, 1, epoch: 1) < time(-100, 1, epoch: 2))
        #expect(time(1, 1, epoch: 1) != time(1, 1, epoch: 2))
    }

    @Test("Infinities are equal to themselves, whatever their other parts")
    func equalInfinities() {
        let infinity = CMTime(value: 5, timescale: 3, flags: [.valid, .positiveInfinity], epoch: 8)
        #expect(infinity == .positiveInfinity)
        #expect(infinity.hashValue == CMTime.positiveInfinity.hashValue)
        #expect(CMTime(value: 1, timescale: 1, flags: .indefinite, epoch: 0) == .invalid)
    }

    @Test("The minimum and the maximum follow the order")
    func minimumAndMaximum() {
        for (one, other) in zip(Self.ordered, Self.ordered.dropFirst()) {
            #expect(CMTimeMinimum(one, other) == one && CMTimeMinimum(other, one) == one)
            #expect(CMTimeMaximum(one, other) == other && CMTimeMaximum(other, one) == other)
        }
    }

    @Test("The absolute value has no sign, and the same timescale and epoch")
    func absoluteValue() {
        #expect(
            CMTimeAbsoluteValue(time(-3, 7, isRounded: true, epoch: 2)).parts == parts(3, 7, isRounded: true, epoch: 2))
        #expect(CMTimeAbsoluteValue(time(3, 7)).parts == parts(3, 7))
        #expect(CMTimeAbsoluteValue(.negativeInfinity).isPositiveInfinity)
        #expect(CMTimeAbsoluteValue(.indefinite).isIndefinite)
        #expect(!CMTimeAbsoluteValue(.invalid).isValid)
        #expect(CMTimeAbsoluteValue(time(.min, 2)).parts == parts(1 << 62, 1))
    }

    // MARK: Dictionaries and descriptions

    @Test("A time survives a dictionary", arguments: ordered)
    func dictionary(time: CMTime) throws {
        let dictionary = try #require(CMTimeCopyAsDictionary(time, allocator: kCFAllocatorDefault))
        let copy = CMTimeMakeFromDictionary(dictionary)
        #expect(copy.parts == time.parts && copy.flags == time.flags)
        #expect(dictionary[kCMTimeValueKey] as? Int64 == time.value)
    }

    @Test("A dictionary with numbers from a property list makes a time")
    func propertyList() throws {
        let dictionary = try #require(CMTimeCopyAsDictionary(time(3, 2, epoch: 1), allocator: nil))
        let data = try PropertyListSerialization.data(fromPropertyList: dictionary, format: .binary, options: 0)
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        #expect(CMTimeMakeFromDictionary(list as? CFDictionary).parts == parts(3, 2, epoch: 1))
    }

    @Test(
        "A dictionary without one of the parts makes an invalid time",
        arguments: [kCMTimeValueKey, kCMTimeScaleKey, kCMTimeEpochKey, kCMTimeFlagsKey])
    func incompleteDictionary(key: String) throws {
        var dictionary = try #require(CMTimeCopyAsDictionary(time(3, 2), allocator: nil))
        dictionary[key] = nil
        #expect(!CMTimeMakeFromDictionary(dictionary).isValid)
        #expect(!CMTimeMakeFromDictionary(nil).isValid)
    }

    @Test(
        "A description has the fraction and the seconds",
        arguments: [
            (time(3, 2), "{3/2 = 1.500}"), (time(1, 3, isRounded: true, epoch: 4), "{1/3 = 0.333, epoch=4, rounded}"),
            (.invalid, "{INVALID}"), (.indefinite, "{INDEFINITE}"), (.positiveInfinity, "{+INFINITY}"),
            (.negativeInfinity, "{-INFINITY}"),
        ] as [(CMTime, String)])
    func description(time: CMTime, text: String) {
        #expect(CMTimeCopyDescription(allocator: kCFAllocatorDefault, time: time) == text)
    }
}
