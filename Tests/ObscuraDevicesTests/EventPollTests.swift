// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import ObscuraBase
import ObscuraMedia
import Testing

@testable import ObscuraDevices

@Suite struct EventPollTests {
    private let wake: EventFD
    private let stop: EventFD
    private let poll: EventPoll

    init() throws {
        (wake, stop) = (try EventFD("test"), try EventFD("test"))
        poll = try EventPoll("test")
        try poll.add(signalsOf: wake)
        try poll.add(stop.descriptor)
    }

    @Test("Each signal ends one wait, without being cleared")
    func signals() {
        for _ in 1...3 {
            wake.signal()
            #expect(poll.wait(until: .now))
            #expect(poll.isReady(wake.descriptor))
            #expect(!poll.isReady(stop.descriptor))
            #expect(!poll.wait(until: .now))
            #expect(!poll.isReady(wake.descriptor))
        }
        // Before a wait they count as one.
        wake.signal()
        wake.signal()
        #expect(poll.wait(until: .now))
        #expect(!poll.wait(until: .now))
    }

    @Test("A readable descriptor ends every wait")
    func readable() {
        stop.signal()
        for _ in 1...3 {
            #expect(poll.wait(until: .now + .seconds(60)))
            #expect(poll.isReady(stop.descriptor))
            #expect(!poll.isReady(wake.descriptor))
        }
        wake.signal()
        #expect(poll.wait(until: .now + .seconds(60)))
        #expect(poll.isReady(wake.descriptor))
        #expect(poll.isReady(stop.descriptor))
        stop.clear()
        #expect(!poll.wait(until: .now))
    }

    @Test("A signal from another thread ends a wait")
    func otherThread() throws {
        let wake = wake
        try #require(WorkerThread.detach(name: "test") { wake.signal() })
        #expect(poll.wait(until: .now + .seconds(60)))
    }

    @Test("A descriptor whose other end was closed counts as ready")
    func hangUp() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        try poll.add(ends[0])
        #expect(!poll.wait(until: .now))
        close(ends[1])
        #expect(poll.wait(until: .now))
        #expect(poll.isReady(ends[0]))
    }

    @Test("The time to a deadline is rounded up to milliseconds, and limited")
    func deadline() {
        let now = HostTime(nanoseconds: 1_000_000_000)
        for (left, milliseconds) in [(-1, 0), (0, 0), (1, 1), (1_000_000, 1), (1_000_001, 2)] as [(Int64, Int32)] {
            #expect(now.advanced(byNanoseconds: left).milliseconds(after: now) == milliseconds)
        }
        #expect(HostTime(nanoseconds: .max).milliseconds(after: now) == .max)
        #expect(HostTime(nanoseconds: .min).milliseconds(after: now) == 0)
    }

    @Test("A closed descriptor is rejected")
    func closed() throws {
        let error = #expect(throws: ObscuraError.self) { try poll.add(-1) }
        #expect(error?.errno == EBADF)
    }
}
