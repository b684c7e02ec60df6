// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraCapture

/// Which frames become photos, as a pure value.
@Suite struct PhotoScheduleTests {
    /// Frames at 30 a second, of one timeline.
    private func frames(_ numbers: Range<Int>, epoch: UInt64 = 1) -> [PhotoSchedule.Moment] {
        numbers.map { number in
            let time = MediaTime(value: Int64(number), timescale: 30)
            return PhotoSchedule.Moment(
                hostTime: HostTime(nanoseconds: time.nanoseconds), time: time, epoch: epoch)
        }
    }

    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    @Test(arguments: [(Int64(-5), 0), (0, 0), (33, 0), (34, 1), (66, 1), (67, 2), (1000, 2)])
    func `the photo is the newest frame that was taken by then`(moment: Int64, expected: Int) {
        var schedule = PhotoSchedule(.onScreen(at(moment)), now: at(10_000))
        #expect(schedule.take(from: frames(0..<3), new: 3) == [expected])
        #expect(schedule.remaining == 0)
        #expect(schedule.take(from: frames(0..<4), new: 1).isEmpty)
    }

    @Test func `a moment to come is waited for`() {
        var schedule = PhotoSchedule(.onScreen(at(80)), now: at(70))
        #expect(schedule.take(from: frames(0..<3), new: 3).isEmpty)
        // The fourth frame is of 100 ms: the third was on the screen at 80.
        #expect(schedule.take(from: frames(0..<4), new: 1) == [2])
    }

    @Test func `the present moment is not waited for`() {
        var schedule = PhotoSchedule(.onScreen(at(80)), now: at(80))
        #expect(schedule.take(from: frames(0..<3), new: 3) == [2])
    }

    @Test func `without a frame the first one that comes is taken`() {
        var schedule = PhotoSchedule(.onScreen(at(80)), now: at(90))
        #expect(schedule.take(from: [], new: 0).isEmpty)
        #expect(schedule.take(from: frames(5..<6), new: 1) == [0])
    }

    private static let bursts: [(Int64, [Int])] = [
        (100, [0, 3, 6, 9, 12]), (33, [0, 1, 2, 3, 4]), (0, [0, 1, 2, 3, 4]), (200, [0, 6, 12, 18, 24]),
        (110, [0, 3, 7, 10, 13]),
    ]

    @Test(arguments: bursts)
    func `a burst takes the frames nearest to its moments`(interval: Int64, expected: [Int]) {
        var schedule = PhotoSchedule(
            .onScreen(at(0)), count: 5, interval: MediaTime(value: interval, timescale: 1000), now: at(1))
        var taken = schedule.take(from: frames(0..<1), new: 1)
        for number in 1..<40 {
            // Three are kept.
            let known = frames(max(0, number - 2)..<number + 1)
            taken += schedule.take(from: known, new: 1).map { max(0, number - 2) + $0 }
        }
        #expect(taken == expected)
    }

    @Test func `a burst that begins in the past goes on with the frames that are kept`() {
        var schedule = PhotoSchedule(.onScreen(at(0)), count: 3, interval: .zero, now: at(500))
        #expect(schedule.take(from: frames(0..<3), new: 3) == [0, 1, 2])
        #expect(schedule.remaining == 0)
    }

    @Test func `frames of another timeline, of before, and those that settle are let pass`() {
        var schedule = PhotoSchedule(.fresh(after: at(100), leaving: 1, letting: 2))
        #expect(schedule.take(from: frames(0..<6, epoch: 1), new: 6).isEmpty)
        #expect(schedule.take(from: frames(0..<3, epoch: 2), new: 3).isEmpty)
        // 100 ms and 133 ms settle, 167 ms is the photo.
        #expect(schedule.take(from: frames(0..<5, epoch: 2), new: 2).isEmpty)
        #expect(schedule.take(from: frames(0..<7, epoch: 2), new: 2) == [5])
    }
}
