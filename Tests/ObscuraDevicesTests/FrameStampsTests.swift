// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraDevices

@Suite("The kernel's time stamps")
struct FrameStampsTests {
    private let now = HostTime(nanoseconds: 1_000_000_000_000)

    private func isBelieved(_ stamp: HostTime?) -> Bool {
        var stamps = FrameStamps()
        let (time, isEstimated) = stamps.time(of: stamp, now: now)
        #expect(time == (isEstimated ? now : stamp))
        return !isEstimated
    }

    @Test("A stamp of this moment is believed, also one of a frame's end that is still to come")
    func believed() {
        #expect(isBelieved(now))
        #expect(isBelieved(now + .milliseconds(-300)))
        #expect(isBelieved(now + .milliseconds(30)))
    }

    @Test("No stamp, or one from another day, is the moment of arrival, and said to be estimated")
    func estimated() {
        #expect(!isBelieved(nil))
        #expect(!isBelieved(HostTime(nanoseconds: 0)))
        #expect(!isBelieved(now + .seconds(-11)))
        #expect(!isBelieved(now + .seconds(2)))
        #expect(!isBelieved(HostTime(nanoseconds: .max)))
        #expect(!isBelieved(HostTime(nanoseconds: .min)))
    }

    @Test("A stamp that goes back within a stream is not believed; a new stream begins anew")
    func backwards() {
        var stamps = FrameStamps()
        #expect(!stamps.time(of: now, now: now).isEstimated)
        #expect(stamps.time(of: now, now: now + .milliseconds(33)).isEstimated)
        #expect(stamps.time(of: now + .milliseconds(-5), now: now + .milliseconds(66)).isEstimated)
        #expect(!stamps.time(of: now + .milliseconds(99), now: now + .milliseconds(99)).isEstimated)
        stamps.beginStream()
        #expect(!stamps.time(of: now, now: now + .milliseconds(120)).isEstimated)
    }

    @Test("A stamp from before the arrival of the frame ahead of it does not step back in time")
    func duplicate() {
        var stamps = FrameStamps()
        // Frames every 33 ms that arrive 50 ms after their stamps; the second has the stamp of the first.
        let times = [0, 0, 66, 99, 132].enumerated().map { index, stamp in
            stamps.time(of: now + .milliseconds(stamp), now: now + .milliseconds(50 + 33 * index))
        }
        let expected: [Duration] = [
            .zero, .milliseconds(83), .milliseconds(83) + .nanoseconds(1), .milliseconds(99), .milliseconds(132),
        ]
        #expect(times.map(\.time) == expected.map { now + $0 })
        #expect(times.map(\.isEstimated) == [false, true, true, false, false])
    }
}
