// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import TestSupport
import Testing

@Suite struct WorkerPoolBandsTests {
    @Test(arguments: [0, 1, 2, 3, 7, 8, 9, 100, 1081], [1, 2, 16, 5000])
    func `Each number is in one band, and no band but the last is short`(count: Int, least: Int) {
        let bands = Lock<[Range<Int>]>([])
        WorkerPool(name: "bands", threads: 3).forEachBand(of: count, atLeast: least) { band in
            bands.withLock { $0.append(band) }
        }
        let sorted = bands.withLock { $0 }.sorted { $0.lowerBound < $1.lowerBound }
        #expect(sorted.flatMap { Array($0) } == Array(0..<count))
        #expect(sorted.dropLast().allSatisfy { $0.count >= least })
        #expect(sorted.allSatisfy { !$0.isEmpty })
    }

    @Test func `Little work stays on the thread of the caller`() {
        let bands = Lock<[Range<Int>]>([])
        WorkerPool(name: "bands", threads: 3).forEachBand(of: 64, atLeast: 64) { band in
            bands.withLock { $0.append(band) }
        }
        #expect(bands.withLock { $0 } == [0..<64])
    }

    @Test func `A free thread of the pool helps`() throws {
        try #require(WorkerPool.coreCount > 1)
        let begun = Count()
        // No band ends before two have begun: one thread alone would never end the first.
        WorkerPool(name: "bands", threads: 1).forEachBand(of: 2) { _ in
            begun.add()
            #expect(begun.blocksUntil(2))
        }
    }

    @Test func `A pool whose threads are all busy is not waited for`() {
        let pool = WorkerPool(name: "bands", threads: 1)
        let (gate, blocked, done) = (Count(), Count(), Count())
        pool.async {
            blocked.add()
            _ = gate.blocksUntil(1)
        }
        #expect(blocked.blocksUntil(1))
        pool.forEachBand(of: 100) { done.add($0.count) }
        #expect(done.now == 100)
        gate.add()
    }

    @Test func `Bands within bands on all threads of the pool come to an end`() {
        let pool = WorkerPool(name: "bands", threads: 2)
        let (done, ended) = (Count(), Count())
        for _ in 0..<20 {
            pool.async {
                pool.forEachBand(of: 20) { band in
                    for _ in band { pool.forEachBand(of: 20) { done.add($0.count) } }
                }
                ended.add()
            }
        }
        #expect(ended.blocksUntil(20))
        #expect(done.now == 20 * 20 * 20)
    }

    @Test func `What the work refers to is gone when it is done`() {
        final class Witness: Sendable {
            let gone: Count
            init(gone: Count) { self.gone = gone }
            deinit { gone.add() }
        }
        let pool = WorkerPool(name: "bands", threads: 2)
        let gone = Count()
        for index in 1...200 {
            let witness = Witness(gone: gone)
            pool.forEachBand(of: 8) { _ in withExtendedLifetime(witness) {} }
            _ = consume witness
            // A thread that ended its band last may be about to let go of it.
            #expect(gone.blocksUntil(index))
        }
    }
}
