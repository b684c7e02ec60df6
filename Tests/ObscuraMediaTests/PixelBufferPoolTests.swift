// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@Suite struct PixelBufferPoolTests {
    @Test func `A pool is bounded, refuses by name, and gives again what came home`() throws {
        let pool = PixelBufferPool(capacity: 3)
        var held = try (0..<3).map { _ in try pool.makeBuffer(format: .bgra, width: 10, height: 10) }
        let error = #expect(throws: ObscuraError.self) { try pool.makeBuffer(format: .bgra, width: 10, height: 10) }
        #expect(error?.code == .poolExhausted)
        #expect(error?.advice != nil)
        held.removeLast()
        #expect(pool.counts.idle == 1)
        held.append(try pool.makeBuffer(format: .rgba, width: 10, height: 10))
        let counts = pool.counts
        #expect((counts.inUse, counts.idle, counts.allocations) == (3, 0, 3))
        #expect((counts.reuses, counts.refusals) == (1, 1))
        held.removeAll()
        #expect(pool.counts.inUse == 0)
    }

    @Test func `Blocks of another size give way before the pool refuses`() throws {
        let pool = PixelBufferPool(capacity: 2)
        var held = [try pool.makeBuffer(format: .bgra, width: 10, height: 10)]
        held.append(try pool.makeBuffer(format: .bgra, width: 10, height: 10))
        held.removeAll()
        #expect(pool.counts.idle == 2)
        held.append(try pool.makeBuffer(format: .bgra, width: 200, height: 200))
        #expect(pool.counts.idle == 0)
        #expect(pool.counts.inUse == 1)
    }

    @Test func `A smaller capacity frees what is idle at once, and what is held when it comes home`() throws {
        let pool = PixelBufferPool(capacity: 6)
        var held = try (0..<6).map { _ in try pool.makeBuffer(format: .gray8, width: 64, height: 64) }
        held.removeFirst(3)
        pool.capacity = 4
        #expect(pool.counts.idle == 1)
        pool.capacity = 2
        #expect(pool.counts.idle == 0)
        #expect(throws: ObscuraError.self) { try pool.makeBuffer(format: .gray8, width: 64, height: 64) }
        held.removeFirst()
        #expect(pool.counts.idle == 0)
        held.removeAll()
        #expect(pool.counts.idle == 2)
        pool.capacity = 0
        #expect(pool.capacity == 1)
        #expect(pool.counts.idle == 1)
    }

    @Test func `A pool that was let go of lives as long as its pictures`() throws {
        var pool: PixelBufferPool? = PixelBufferPool(capacity: 1)
        weak let reference = pool
        var picture = try pool?.makeBuffer(format: .gray8, width: 64, height: 64)
        pool = nil
        #expect(reference != nil)
        #expect(picture?.width == 64)
        picture = nil
        #expect(reference == nil)
    }

    @Test func `Many threads never hold more than the capacity, and the counts add up`() throws {
        let pool = PixelBufferPool(capacity: 5)
        let granted = Count()
        let refused = Count()
        let highest = Lock(0)
        #expect(
            onThreads(8) { thread in
                var generator = Dice(seed: UInt64(thread))
                for _ in 0..<1000 {
                    let side = Int.random(in: 1...3, using: &generator) * 20
                    do throws(ObscuraError) {
                        let picture = try pool.makeBuffer(format: .gray8, width: side, height: side)
                        let counts = pool.counts
                        highest.withLock { $0 = max($0, counts.inUse + counts.idle) }
                        granted.add()
                        withExtendedLifetime(picture) {}
                    } catch {
                        refused.add()
                    }
                    if thread == 0 { pool.capacity = Int.random(in: 1...5, using: &generator) }
                }
            })
        #expect(highest.withLock { $0 } <= 5)
        let counts = pool.counts
        #expect(counts.inUse == 0)
        #expect(counts.allocations + counts.reuses == granted.now)
        #expect(counts.refusals == refused.now)
        #expect(granted.now + refused.now == 8000)
    }
}
