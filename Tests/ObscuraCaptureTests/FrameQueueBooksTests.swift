// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

/// The books of a mailbox against a plain second set of books, step by step.
@Suite struct FrameQueueBooksTests {
    /// What the queue must be after each step, written as simply as can be.
    private struct Model {
        let policy: LateFramePolicy
        let limit: Int
        var waiting: [Int] = []
        var offered = 0, delivered = 0, skipped = 0, inHand = 0, leases = 0
        var dropped: [DropReason: Int] = [:]
        var isFinished = false, isClosed = false

        mutating func drop(_ count: Int, _ reason: DropReason) { dropped[reason, default: 0] += count }
    }

    @Test(arguments: [.latest, .bounded(1), .bounded(3), .lossless(1), .lossless(4)] as [LateFramePolicy], 0..<20)
    func `The ledger is right after every single step`(policy: LateFramePolicy, seed: UInt64) {
        var generator = Dice(seed: seed)
        let queue = FrameQueue<Int>(policy: policy, leaseLimit: 3)
        var model = Model(policy: policy, limit: 3)
        var leases: [FrameLease] = []
        for step in 0..<2000 {
            apply(Int.random(in: 0..<100, using: &generator), step, queue, &model, &leases, &generator)
            let ledger = queue.ledger
            guard ledger.isBalanced, agrees(ledger, model), queue.holdings.count == model.leases,
                queue.hasEnded == (model.isFinished || model.isClosed)
            else {
                Issue.record("step \(step): \(ledger) is not \(model)")
                return
            }
        }
    }

    private func agrees(_ ledger: ReaderLedger, _ model: Model) -> Bool {
        ledger.offered == UInt64(model.offered) && ledger.delivered == UInt64(model.delivered)
            && ledger.skipped == UInt64(model.skipped) && ledger.inHand == UInt64(model.inHand)
            && ledger.waiting == UInt64(model.waiting.count)
            && DropReason.allCases.allSatisfy { ledger.dropped[$0] == UInt64(model.dropped[$0] ?? 0) }
    }

    private func apply(
        _ dice: Int, _ step: Int, _ queue: FrameQueue<Int>, _ model: inout Model, _ leases: inout [FrameLease],
        _ generator: inout Dice
    ) {
        let reason = DropReason.allCases.randomElement(using: &generator) ?? .late
        let hasEnded = model.isFinished || model.isClosed
        switch dice {
        case 0..<35:
            let isFull = model.waiting.count >= model.policy.capacity
            // A full lossless queue would block.
            if model.policy.isLossless, isFull, !hasEnded { return }
            _ = queue.enqueue(step)
            guard !hasEnded else { return }
            model.offered += 1
            if !model.policy.isLossless, model.leases >= model.limit {
                model.drop(1 + model.waiting.count, .outOfBuffers)
                return model.waiting.removeAll()
            }
            if isFull {
                model.waiting.removeFirst()
                model.drop(1, .late)
            }
            model.waiting.append(step)
        case 35..<60:
            let taken = queue.takeElement()
            #expect(taken == (model.isClosed ? nil : model.waiting.first))
            guard taken != nil else { return }
            model.waiting.removeFirst()
            model.inHand += 1
        case 60..<75:
            queue.finishInHand()
            guard model.inHand > 0 else { return }
            model.inHand -= 1
            model.delivered += 1
        case 75..<80:
            queue.dropInHand(reason)
            guard model.inHand > 0 else { return }
            model.inHand -= 1
            model.drop(1, reason)
        case 80..<85:
            queue.skip()
            guard !hasEnded else { return }
            model.offered += 1
            model.skipped += 1
        case 85..<88:
            queue.drop(reason)
            guard !hasEnded else { return }
            model.offered += 1
            model.drop(1, reason)
        case 88..<93:
            if let lease = queue.lease() {
                leases.append(lease)
                model.leases += 1
            } else {
                #expect(model.leases == model.limit)
            }
        case 93..<97:
            guard let index = leases.indices.randomElement(using: &generator) else { return }
            leases.remove(at: index)
            model.leases -= 1
        case 97..<99:
            queue.flush(reason)
            model.drop(model.waiting.count, reason)
            model.waiting.removeAll()
        default:
            guard step > 1500 else { return }
            if Bool.random(using: &generator) {
                queue.finish()
                if !model.isClosed { model.isFinished = true }
            } else {
                queue.close()
                if !model.isClosed { model.drop(model.waiting.count, .stopped) }
                model.waiting.removeAll()
                model.isClosed = true
            }
        }
    }

    @Test(arguments: [.latest, .bounded(3), .lossless(2)] as [LateFramePolicy])
    func `The ledger is balanced at every moment while threads offer, take, flush, skip and look`(
        policy: LateFramePolicy
    ) {
        let frames = 2000
        let queue = FrameQueue<Int>(policy: policy, leaseLimit: 4)
        let skipped = Count()
        let offered = Count()
        let isOver = Count()
        #expect(
            onThreads(5) { thread in
                switch thread {
                case 0:
                    for index in 0..<frames {
                        _ = queue.enqueue(index)
                        offered.add()
                    }
                    queue.finish()
                case 1:
                    var leases: [FrameLease] = []
                    while true {
                        switch queue.take() {
                        case .element(let element):
                            if let lease = queue.lease() { leases.append(lease) }
                            if leases.count == 4 || element % 3 == 0 { leases.removeAll() }
                            if element % 5 == 0 { queue.dropInHand(.transformFailed) } else { queue.finishInHand() }
                        case .nothing: yieldThread()
                        case .ended: return isOver.add()
                        }
                    }
                case 2:
                    while isOver.now == 0 {
                        queue.flush(.discontinuity)
                        yieldThread()
                    }
                case 3:
                    // The last offer comes later, so that the queue has not ended yet.
                    for _ in 0..<1000 where offered.now < frames {
                        queue.skip()
                        skipped.add()
                    }
                default:
                    while isOver.now == 0 {
                        if !queue.ledger.isBalanced { Issue.record("\(queue.ledger)") }
                        yieldThread()
                    }
                }
            })
        let ledger = queue.ledger
        #expect(ledger.isBalanced)
        #expect(ledger.offered >= UInt64(frames))
        #expect(ledger.offered - ledger.skipped == UInt64(frames))
        #expect(ledger.skipped <= UInt64(skipped.now))
        #expect(ledger.waiting == 0)
        #expect(ledger.inHand == 0)
    }
}
