// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraDevices

@Suite("When a burst of changes is over")
struct SettlingTimeTests {
    private let begin = HostTime(nanoseconds: 1_000_000_000)

    private func at(_ milliseconds: Int) -> HostTime { begin + .milliseconds(milliseconds) }

    @Test("What wakes the monitor without a change leaves the rest of the wait as it is")
    func otherEvents() {
        let time = SettlingTime(now: begin)
        #expect(time.rest(at: at(0)) == .milliseconds(50))
        #expect(time.rest(at: at(20)) == .milliseconds(30))
        #expect(time.rest(at: at(49)) == .milliseconds(1))
        #expect(time.rest(at: at(50)) == nil)
    }

    @Test("Each change begins the wait anew, until the limit is reached")
    func burst() {
        var time = SettlingTime(now: begin)
        for step in stride(from: 40, through: 960, by: 40) {
            #expect(time.rest(at: at(step)) != nil)
            time.begin(at: at(step))
            #expect(time.rest(at: at(step)) == .milliseconds(min(50, 1000 - step)))
        }
        time.begin(at: at(999))
        #expect(time.rest(at: at(999)) == .milliseconds(1) && time.mayWait(at: at(999)))
        #expect(time.rest(at: at(1000)) == nil && !time.mayWait(at: at(1000)))
        time.begin(at: at(1200))
        #expect(time.rest(at: at(1200)) == nil)
    }
}
