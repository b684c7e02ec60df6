// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

/// The thread on which several readers deliver what they have gathered.
@Suite(.hangLimit) struct GatheringTimerTests {
    /// A reader that counts its deliveries.
    private final class Reader: Sendable {
        let count = Lock(0)

        func deliver() { count.withLockSignalling { $0 += 1 } }

        /// Waits until it has delivered so often.
        func waits(for count: Int) { self.count.wait { $0 >= count ? () : nil } }
    }

    @Test func `All readers deliver once per interval`() throws {
        let timer = try #require(GatheringTimer(interval: .milliseconds(1)))
        let readers = [Reader(), Reader()]
        for reader in readers { timer.add { reader.deliver() } }
        for reader in readers { reader.waits(for: 20) }
        let counts = readers.map { $0.count.withLock(\.self) }
        #expect(counts[0] >= 20 && counts[1] >= 20)
    }

    @Test func `A new interval begins with a delivery, also if the old one is far from over`() throws {
        let timer = try #require(GatheringTimer(interval: .seconds(7200)))
        let reader = Reader()
        timer.add { reader.deliver() }
        #expect(timer.interval == .seconds(7200) && reader.count.withLock { $0 } == 0)
        timer.interval = .seconds(3600)
        reader.waits(for: 1)
        #expect(timer.interval == .seconds(3600) && reader.count.withLock { $0 } == 1)
        timer.interval = .milliseconds(1)
        reader.waits(for: 5)
    }

    @Test func `A flush returns after a delivery, also if the interval is far from over`() throws {
        let timer = try #require(GatheringTimer(interval: .seconds(7200)))
        let reader = Reader()
        timer.add { reader.deliver() }
        for number in 1...100 {
            timer.flush(until: .now + waitLimit)
            #expect(reader.count.withLock { $0 } >= number)
        }
    }

    @Test func `A flush does not wait longer than it may for a reader that is busy`() throws {
        let timer = try #require(GatheringTimer(interval: .seconds(7200)))
        let (isBusy, mayEnd) = (Lock(false), Lock(false))
        timer.add {
            isBusy.withLockSignalling { $0 = true }
            mayEnd.wait { $0 ? () : nil }
        }
        timer.flush(until: .now + .milliseconds(1))
        isBusy.wait { $0 ? () : nil }
        timer.flush(until: .now + .milliseconds(1))
        mayEnd.withLockSignalling { $0 = true }
    }

    @Test func `The thread ends with the last owner`() async throws {
        // Only the thread has kept what it delivers.
        var kept: Reader? = Reader()
        weak let observed = kept
        do {
            let timer = try #require(GatheringTimer(interval: .seconds(7200)))
            timer.add { [kept] in kept?.deliver() }
        }
        kept = nil
        #expect(await becomes { observed == nil })
    }

    @Test func `The thread ends when it is ended, also if the timer still has an owner`() async throws {
        var kept: Reader? = Reader()
        weak let observed = kept
        let timer = try #require(GatheringTimer(interval: .seconds(7200)))
        timer.add { [kept] in kept?.deliver() }
        kept = nil
        timer.end()
        #expect(await becomes { observed == nil })
        // It does not wait for a delivery that does not come.
        timer.flush(until: .now + waitLimit)
    }
}
