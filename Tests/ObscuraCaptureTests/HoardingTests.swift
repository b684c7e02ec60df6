// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

/// What happens at the limits of a reader and of a pool.
@Suite struct HoardingTests {
    @Test func `A reader at its limit has nothing old wait for it`() {
        for (policy, waits) in [(LateFramePolicy.latest, 1), (.bounded(3), 3)] {
            let queue = FrameQueue<Int>(policy: policy, leaseLimit: 1)
            for number in 1...waits { _ = queue.enqueue(number) }
            var lease = queue.lease()
            #expect(lease != nil)
            guard case .droppedWithWaiting(.outOfBuffers, let older) = queue.enqueue(10) else {
                return #expect(Bool(false))
            }
            #expect(older == Array(1...waits))
            #expect(queue.ledger.waiting == 0)
            #expect(queue.ledger.dropped[.outOfBuffers] == UInt64(waits) + 1)
            #expect(queue.ledger.isBalanced)
            guard case .dropped(.outOfBuffers) = queue.enqueue(11) else { return #expect(Bool(false)) }
            lease = nil
            _ = queue.enqueue(12)
            guard case .element(12) = queue.take() else { return #expect(Bool(false)) }
        }
    }

    @Test func `An elastic pool gives new memory beyond its capacity, and keeps no more than that`() throws {
        let pool = PixelBufferPool(capacity: 2, isElastic: true)
        var held = try (0..<5).map { _ in try pool.makeBuffer(format: .gray8, width: 8, height: 8) }
        withExtendedLifetime(held) { #expect(pool.counts.inUse == 5) }
        held.removeAll()
        #expect(pool.counts.inUse == 0)
        #expect(pool.counts.idle == 2)
        _ = try pool.makeBuffer(format: .gray8, width: 8, height: 8)
        #expect(pool.counts.reuses == 1)
    }

    @Test func `A copy for a writer does not lie in a pool that is for one purpose only`() throws {
        let copies = PixelBufferPool(capacity: 4)
        let pool = PixelBufferPool(capacity: 1, copies: copies)
        let picture = try pool.makeBuffer(format: .gray8, width: 8, height: 8)
        var drawn = picture
        try drawn.withMutableBytes(ofPlane: 0) { $0.storeBytes(of: 7, toByteOffset: 0, as: UInt8.self) }
        #expect(!drawn.isIdentical(to: picture))
        #expect(pool.counts.inUse == 1)
        #expect(copies.counts.inUse == 1)
    }
}
