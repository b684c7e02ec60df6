// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import TestSupport
import Testing

@Suite struct WorkerPoolTests {
    @Test func `One thread runs the jobs one after the other, in their order`() {
        let pool = WorkerPool(name: "one", threads: 1)
        let order = Lock<[Int]>([])
        let done = Count()
        for index in 0..<1000 {
            pool.async {
                order.withLock { $0.append(index) }
                done.add()
            }
        }
        #expect(done.blocksUntil(1000))
        #expect(order.withLock { $0 } == Array(0..<1000))
    }

    @Test func `A job for an idle thread is discarded if there is none, and adds no thread`() {
        let pool = WorkerPool(name: "one", threads: 1)
        let (gate, blocked, done) = (Count(), Count(), Count())
        let order = Lock<[Int]>([])
        pool.async {
            blocked.add()
            _ = gate.blocksUntil(1)
        }
        #expect(blocked.blocksUntil(1))
        for _ in 0..<5 { pool.submitIfIdle { order.withLock { $0.append(-1) } } }
        // With another thread, these would run at once.
        for index in 0..<100 {
            pool.async {
                order.withLock { $0.append(index) }
                done.add()
            }
        }
        #expect(order.withLock { $0 }.isEmpty)
        gate.add()
        #expect(done.blocksUntil(100))
        #expect(order.withLock { $0 } == Array(0..<100))
    }

    @Test func `Jobs that block leave the others their threads`() {
        let pool = WorkerPool(name: "three", threads: 3)
        let gate = Count()
        let blocked = Count()
        let done = Count()
        for _ in 0..<2 {
            pool.async {
                blocked.add()
                _ = gate.blocksUntil(1)
                done.add()
            }
        }
        for _ in 0..<100 { pool.async { done.add() } }
        #expect(blocked.blocksUntil(2))
        #expect(done.blocksUntil(100))
        gate.add()
        #expect(done.blocksUntil(102))
    }

    @Test func `No more threads run than there may be`() {
        let pool = WorkerPool(name: "two", threads: 2)
        let running = Lock((now: 0, most: 0))
        let done = Count()
        for _ in 0..<2000 {
            pool.async {
                running.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                running.withLock { $0.now -= 1 }
                done.add()
            }
        }
        #expect(done.blocksUntil(2000))
        #expect(running.withLock { $0.most } <= 2)
    }

    @Test func `What a job refers to goes with the job, also while others always wait`() {
        final class Witness: Sendable {
            let gone: Count
            init(gone: Count) { self.gone = gone }
            deinit { gone.add() }
        }
        let pool = WorkerPool(name: "busy", threads: 1)
        let gone = Count()
        let gates = (0..<200).map { _ in Count() }
        for gate in gates {
            let witness = Witness(gone: gone)
            pool.async {
                _ = gate.blocksUntil(1)
                withExtendedLifetime(witness) {}
            }
        }
        for (index, gate) in gates.dropLast().enumerated() {
            gate.add()
            #expect(gone.blocksUntil(index + 1))
        }
        #expect(gone.now == 199)
        gates.last?.add()
        #expect(gone.blocksUntil(200))
    }

    @Test func `Jobs of a pool that was let go of still run`() {
        let done = Count()
        do {
            let pool = WorkerPool(name: "gone", threads: 1)
            for _ in 0..<50 { pool.async { done.add() } }
        }
        #expect(done.blocksUntil(50))
    }

    @Test func `Running suspends until the job is done`() async {
        let pool = WorkerPool(name: "run", threads: 1)
        for index in 0..<100 {
            #expect(await pool.run { index * 2 } == index * 2)
        }
    }

    @Test func `Joining a thread has a time limit`() throws {
        let gate = Count()
        let thread = try #require(WorkerThread(name: "joined") { _ = gate.blocksUntil(1) })
        #expect(!thread.join(until: .now))
        gate.add()
        #expect(thread.ends())
    }
}
