// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import TestSupport
import Testing

@Suite struct SingleFlightTests {
    private struct Broken: Error {}

    @Test func `Twenty threads that ask at once get one value, made once for each key`() throws {
        let flight = SingleFlight<Int, Int>()
        let made = Count()
        let right = Count()
        #expect(
            onThreads(20) { thread in
                for key in 0..<200 {
                    let value = try? flight.value(for: key) {
                        made.add()
                        return key * 10
                    }
                    if value == key * 10 { right.add() }
                }
            })
        #expect(made.now == 200)
        #expect(right.now == 20 * 200)
        #expect(flight.count == 200)
    }

    @Test func `A failure is kept, and every waiter gets it`() {
        let flight = SingleFlight<Int, Int>()
        let made = Count()
        let failed = Count()
        #expect(
            onThreads(10) { _ in
                do {
                    _ = try flight.value(for: 1) {
                        made.add()
                        throw Broken()
                    }
                } catch is Broken {
                    failed.add()
                } catch {}
            })
        #expect(made.now == 1)
        #expect(failed.now == 10)
    }

    @Test func `One key under way does not hold up another`() throws {
        let flight = SingleFlight<Int, Int>()
        let isUnderWay = Count()
        let mayEnd = Count()
        let ended = Count()
        _ = WorkerThread.detach(name: "first") {
            _ = try? flight.value(for: 1) {
                isUnderWay.add()
                _ = mayEnd.blocksUntil(1)
                return 1
            }
            ended.add()
        }
        #expect(isUnderWay.blocksUntil(1))
        #expect(try flight.value(for: 2) { 2 } == 2)
        mayEnd.add()
        #expect(ended.blocksUntil(1))
    }
}
