// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreMedia
import Testing

@Suite("CMTimeRange") struct CMTimeRangeTests {
    private static let (positive, negative) = (CMTime.positiveInfinity, CMTime.negativeInfinity)
    private static let live = CMTimeRange(start: .zero, duration: .indefinite)
    private static let endless = CMTimeRange(start: time(5, 1), duration: .positiveInfinity)

    // MARK: Creation

    @Test("A range has a start, a duration, and an end")
    func creation() {
        for range in [
            CMTimeRange(start: time(1, 2), duration: time(1, 3)),
            CMTimeRangeMake(start: time(1, 2), duration: time(1, 3)),
        ] {
            #expect(range.start.parts == parts(1, 2) && range.duration.parts == parts(1, 3))
            #expect(range.end.parts == parts(5, 6) && CMTimeRangeGetEnd(range).parts == parts(5, 6))
            #expect(CMTIMERANGE_IS_VALID(range) && !CMTIMERANGE_IS_INVALID(range))
        }
    }

    @Test("A range from a start to an end has the difference as its duration")
    func fromStartToEnd() {
        for range in [
            CMTimeRange(start: time(1, 2), end: time(5, 6)),
            CMTimeRangeFromTimeToTime(start: time(1, 2), end: time(5, 6)),
        ] {
            #expect(range == CMTimeRange(start: time(1, 2), duration: time(1, 3)))
        }
        #expect(CMTimeRange(start: time(1, 1), end: Self.positive).duration.isPositiveInfinity)
    }

    @Test("A range from a start to an end of the same epoch keeps that, with a duration of epoch 0")
    func epochOfEnd() {
        let range = CMTimeRange(start: time(1, 1, epoch: 3), end: time(4, 1, epoch: 3))
        #expect(range.isValid && range.duration.parts == parts(3, 1))
        #expect(range.end.parts == parts(4, 1, epoch: 3))
    }

    @Test("A range that ends before it starts, or in another epoch, is not valid")
    func invalidEnds() {
        #expect(!CMTimeRange(start: time(2, 1), end: time(1, 1)).isValid)
        #expect(!CMTimeRange(start: time(2, 1), end: time(3, 1, epoch: 1)).isValid)
        #expect(!CMTimeRange(start: time(2, 1, epoch: 1), end: time(3, 1, epoch: 2)).isValid)
    }

    @Test("A duration of another epoch than 0 makes an invalid range")
    func epochOfDuration() {
        #expect(CMTimeRangeMake(start: .zero, duration: time(1, 1, epoch: 1)) == .invalid)
        #expect(!CMTimeRange(start: .zero, duration: time(1, 1, epoch: 1)).isValid)
        #expect(CMTimeRangeMake(start: time(1, 1, epoch: 1), duration: time(1, 1)).isValid)
    }

    @Test("A negative duration, or an invalid time, makes a range invalid, and its end too")
    func invalidRanges() {
        for range in [
            range(0, -1), CMTimeRange(start: .invalid, duration: .zero), CMTimeRange(start: .zero, duration: .invalid),
            CMTimeRange(), .invalid, kCMTimeRangeInvalid,
        ] {
            #expect(!range.isValid && !range.end.isValid && !range.isEmpty && !range.isIndefinite)
            #expect(CMTIMERANGE_IS_INVALID(range))
        }
    }

    @Test("A range is empty if its duration is zero")
    func empty() {
        #expect(CMTimeRange.zero.isEmpty && kCMTimeRangeZero.isEmpty && CMTIMERANGE_IS_EMPTY(range(5, 0)))
        #expect(!range(5, 1).isEmpty && !Self.live.isEmpty)
    }

    @Test("A range is indefinite if its start or its duration is")
    func indefinite() {
        #expect(Self.live.isIndefinite && CMTIMERANGE_IS_INDEFINITE(Self.live) && Self.live.end.isIndefinite)
        #expect(CMTimeRange(start: .indefinite, duration: .zero).isIndefinite)
        #expect(!range(0, 1).isIndefinite && !Self.endless.isIndefinite)
    }

    @Test("Ranges are equal, with equal hashes, if their starts and durations are")
    func equality() {
        let halves = CMTimeRange(start: time(1, 2), duration: time(1, 2))
        let hundredths = CMTimeRange(start: time(50, 100), duration: time(50, 100))
        #expect(halves == hundredths && CMTimeRangeEqual(halves, hundredths))
        #expect(Set([halves, hundredths]).count == 1)
        #expect(halves != range(0, 1) && !CMTimeRangeEqual(halves, .zero))
    }

    // MARK: Containment

    @Test("A range contains its start and not its end")
    func containsTime() {
        let range = range(2, 3)
        #expect(range.containsTime(time(2, 1)) && range.containsTime(time(4999, 1000)))
        #expect(!range.containsTime(time(1999, 1000)) && !range.containsTime(range.end))
        #expect(CMTimeRangeContainsTime(range, time: time(2, 1)) && !CMTimeRangeContainsTime(range, time: range.end))
        #expect(!CMTimeRange.zero.containsTime(.zero))
    }

    @Test("A range of infinite duration contains all later times")
    func containsTimeWithoutEnd() {
        #expect(Self.endless.containsTime(time(.max, 1)) && !Self.endless.containsTime(time(4, 1)))
        #expect(!Self.endless.containsTime(Self.positive))
    }

    @Test("A time that is not numeric, or of another epoch, is not in a range")
    func containsOtherTimes() {
        for time in [.invalid, .indefinite, Self.positive, Self.negative, time(3, 1, epoch: 1)] as [CMTime] {
            #expect(!range(2, 3).containsTime(time))
        }
        #expect(range(2, 3, epoch: 1).containsTime(time(3, 1, epoch: 1)))
        #expect(!Self.endless.containsTime(time(6, 1, epoch: 1)))
        #expect(!CMTimeRange.invalid.containsTime(.zero) && !Self.live.containsTime(.zero))
    }

    @Test("A range contains another that does not start before it and does not end after it")
    func containsRange() {
        let outer = range(2, 3)
        #expect(outer.containsTimeRange(outer) && outer.containsTimeRange(range(3, 1)))
        #expect(!outer.containsTimeRange(range(1, 2)) && !outer.containsTimeRange(range(4, 2)))
        #expect(CMTimeRangeContainsTimeRange(Self.endless, otherRange: range(6, 1000)))
        #expect(Self.endless.containsTimeRange(Self.endless) && !outer.containsTimeRange(Self.endless))
        #expect(!outer.containsTimeRange(.invalid) && !Self.live.containsTimeRange(outer))
        #expect(
            !outer.containsTimeRange(range(3, 1, epoch: 1)) && !Self.endless.containsTimeRange(range(6, 1, epoch: 1)))
    }

    // MARK: Union and intersection

    @Test(
        "The intersection is the range of the common times, and the union the smallest range around both",
        arguments: [
            (range(0, 4), range(2, 4), range(2, 2), range(0, 6)), (range(0, 9), range(2, 4), range(2, 4), range(0, 9)),
            (range(0, 1), range(5, 1), .zero, range(0, 6)), (range(0, 2), range(2, 2), .zero, range(0, 4)),
            (range(-3, 2), range(-2, 5), range(-2, 1), range(-3, 6)),
            (range(1, 2), range(1, 2), range(1, 2), range(1, 2)),
            (endless, range(0, 9), range(5, 4), CMTimeRange(start: .zero, duration: .positiveInfinity)),
            (range(1, 1, epoch: 2), range(1, 9, epoch: 2), range(1, 1, epoch: 2), range(1, 9, epoch: 2)),
        ] as [(CMTimeRange, CMTimeRange, CMTimeRange, CMTimeRange)])
    func sets(one: CMTimeRange, other: CMTimeRange, intersection: CMTimeRange, union: CMTimeRange) {
        #expect(one.intersection(other) == intersection && other.intersection(one) == intersection)
        #expect(CMTimeRangeGetIntersection(one, otherRange: other) == intersection)
        #expect(one.union(other) == union && other.union(one) == union)
        #expect(CMTimeRangeGetUnion(one, otherRange: other) == union)
    }

    @Test("Ranges without common times have an empty intersection")
    func disjoint() {
        #expect(range(0, 1).intersection(range(5, 1)).isEmpty)
        #expect(range(0, 2).intersection(range(2, 2)).isEmpty)
    }

    @Test("An empty range does not change a union")
    func emptyUnion() {
        #expect(CMTimeRange.zero.union(range(5, 1)) == range(5, 1) && range(5, 1).union(.zero) == range(5, 1))
        #expect(CMTimeRange.zero.union(.zero).isEmpty)
    }

    @Test(
        "Ranges that are invalid, indefinite, or of another epoch have no union and no intersection",
        arguments: [.invalid, live, range(0, 1, epoch: 1)])
    func invalidSets(other: CMTimeRange) {
        let range = range(0, 1)
        #expect(!range.union(other).isValid && !other.union(range).isValid)
        #expect(!range.intersection(other).isValid && !other.intersection(range).isValid)
    }

    @Test("Random ranges contain a time of the intersection exactly if both do, and of the union if one does")
    func properties() {
        var generator = FixedGenerator()
        for _ in 0..<400 {
            func random() -> CMTimeRange {
                let start = time(.random(in: -20...20, using: &generator), .random(in: 1...7, using: &generator))
                return CMTimeRange(
                    start: start,
                    duration: time(.random(in: 0...20, using: &generator), .random(in: 1...7, using: &generator)))
            }
            let (one, other) = (random(), random())
            let (intersection, union) = (one.intersection(other), one.union(other))
            for moment in [one.start, one.end, other.start, other.end, time(.random(in: -9...9, using: &generator), 5)]
            {
                let (isInOne, isInOther) = (one.containsTime(moment), other.containsTime(moment))
                #expect(intersection.containsTime(moment) == (isInOne && isInOther), "\(one) \(other) \(moment)")
                if isInOne || isInOther { #expect(union.containsTime(moment), "\(one) \(other) \(moment)") }
            }
            #expect(union.containsTimeRange(intersection) || intersection.isEmpty)
        }
    }

    // MARK: Mapping

    @Test("A time is clamped to the start and the end of a range")
    func clamp() {
        let range = range(2, 3)
        #expect(CMTimeClampToRange(time(1, 1), range: range) == range.start)
        #expect(CMTimeClampToRange(time(7, 2), range: range).parts == parts(7, 2))
        #expect(CMTimeClampToRange(time(9, 1), range: range) == range.end)
        #expect(CMTimeClampToRange(Self.positive, range: range) == range.end)
        #expect(CMTimeClampToRange(Self.negative, range: range) == range.start)
        #expect(CMTimeClampToRange(time(9, 1), range: Self.live) == time(9, 1))
    }

    @Test("A time clamped to an empty or invalid range is invalid, and so is an invalid time")
    func invalidClamp() {
        #expect(!CMTimeClampToRange(time(1, 1), range: .zero).isValid)
        #expect(!CMTimeClampToRange(time(1, 1), range: .invalid).isValid)
        #expect(!CMTimeClampToRange(.invalid, range: range(2, 3)).isValid)
    }

    @Test("A time is mapped from range to range in proportion")
    func mapTimes() {
        let (from, to) = (range(10, 4), range(100, 6))
        func map(_ time: CMTime) -> CMTime { CMTimeMapTimeFromRangeToRange(time, fromRange: from, toRange: to) }
        #expect(map(from.start) == to.start && map(from.end) == to.end)
        #expect(map(time(12, 1)) == time(103, 1) && map(time(9, 1)) == time(197, 2))
        #expect(!map(time(12, 1, epoch: 1)).isValid)
        let (scaled, moved) = (range(7, 1, epoch: 2), time(7, 1, epoch: 2))
        #expect(CMTimeMapTimeFromRangeToRange(from.start, fromRange: from, toRange: scaled) == moved)
    }

    @Test("Between ranges of infinite durations a time is moved and not scaled")
    func mapInfiniteRanges() {
        let to = CMTimeRange(start: time(100, 1), duration: .positiveInfinity)
        #expect(CMTimeMapTimeFromRangeToRange(time(6, 1), fromRange: Self.endless, toRange: to) == time(101, 1))
    }

    @Test("A duration is mapped by the ratio of the durations")
    func mapDurations() {
        let (from, to) = (range(10, 4), range(100, 6))
        let duration = CMTimeMapDurationFromRangeToRange(time(2, 30), fromRange: from, toRange: to)
        #expect(duration.parts == parts(6, 60))
        #expect(
            !CMTimeMapDurationFromRangeToRange(time(2, 30, epoch: 1), fromRange: from, toRange: to).isValid)
        let long = CMTimeRange(start: .zero, duration: time(.max, 1_000_003))
        let mapped = CMTimeMapDurationFromRangeToRange(long.duration, fromRange: long, toRange: to)
        #expect(abs(mapped.seconds - 6) < 1e-4)
    }

    @Test("Mapping from or to an empty or invalid range is invalid", arguments: [.zero, .invalid, range(0, -1)])
    func invalidMapping(other: CMTimeRange) {
        let range = range(0, 1)
        #expect(!CMTimeMapTimeFromRangeToRange(.zero, fromRange: other, toRange: range).isValid)
        #expect(!CMTimeMapTimeFromRangeToRange(.zero, fromRange: range, toRange: other).isValid)
        #expect(!CMTimeMapDurationFromRangeToRange(.zero, fromRange: range, toRange: other).isValid)
    }

    @Test(
        "A time is folded into a range as into a loop that repeats in both directions",
        arguments: [
            (time(2, 1), time(2, 1)), (time(7, 2), time(7, 2)), (time(5, 1), time(2, 1)), (time(13, 2), time(7, 2)),
            (time(1, 1), time(4, 1)), (time(-10, 1), time(2, 1)), (time(1, 3), time(10, 3)),
        ])
    func fold(time: CMTime, expected: CMTime) {
        #expect(CMTimeFoldIntoRange(time, foldRange: range(2, 3)) == expected)
        #expect(!CMTimeFoldIntoRange(time, foldRange: range(2, 0)).isValid)
        #expect(!CMTimeFoldIntoRange(time, foldRange: range(2, 3, epoch: 1)).isValid)
    }

    @Test("A mapping has a source and a target, and is invalid if a duration is not of epoch 0")
    func mappings() {
        let mapping = CMTimeMappingMake(source: range(0, 1), target: range(5, 2))
        #expect(mapping.source == range(0, 1) && mapping.target == range(5, 2))
        let empty = CMTimeMappingMakeEmpty(target: range(5, 2))
        #expect(!empty.source.isValid && empty.target == range(5, 2))
        let other = CMTimeRange(start: .zero, duration: time(1, 1, epoch: 1))
        #expect(CMTimeMappingMake(source: range(0, 1), target: other) == .invalid)
        #expect(CMTimeMappingMakeEmpty(target: other) == .invalid && CMTimeMapping() == .invalid)
    }

    // MARK: Dictionaries and descriptions

    @Test("A range survives a dictionary, and one without a part makes an invalid range")
    func dictionary() throws {
        let range = CMTimeRange(start: time(1, 2, epoch: 3), duration: .indefinite)
        var dictionary = try #require(CMTimeRangeCopyAsDictionary(range, allocator: kCFAllocatorDefault))
        let copy = CMTimeRangeMakeFromDictionary(dictionary)
        #expect(copy.start.parts == range.start.parts && copy.duration.isIndefinite)
        dictionary[kCMTimeRangeStartKey] = nil
        #expect(!CMTimeRangeMakeFromDictionary(dictionary).isValid)
        dictionary[kCMTimeRangeDurationKey] = nil
        #expect(!CMTimeRangeMakeFromDictionary(dictionary).isValid)
    }

    @Test("A description has the start and the duration")
    func description() {
        let text = CMTimeRangeCopyDescription(allocator: nil, range: range(0, 2))
        #expect(text == "{{0/1 = 0.000}, {2/1 = 2.000}}")
    }
}
