// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@Suite struct FrameQueueTests {
    private typealias Queue = FrameQueue<Int>

    @Test func `The newest frame replaces an unread one, which is counted late`() {
        let queue = Queue(policy: .latest)
        #expect(queue.enqueue(1).isAccepted)
        guard case .acceptedInPlaceOf(1) = queue.enqueue(2) else { return #expect(Bool(false)) }
        #expect(queue.takeElement() == 2)
        #expect(queue.takeElement() == nil)
        queue.finishInHand()
        let ledger = queue.ledger
        #expect((ledger.offered, ledger.delivered, ledger.dropped[.late]) == (2, 1, 1))
        #expect(ledger.isBalanced)
    }

    @Test func `A bounded queue keeps the order and drops the oldest`() {
        let queue = Queue(policy: .bounded(3))
        for index in 1...5 { _ = queue.enqueue(index) }
        #expect(queue.ledger.waiting == 3)
        #expect(queue.ledger.dropped[.late] == 2)
        #expect((0..<4).map { _ in queue.takeElement() } == [3, 4, 5, nil])
        #expect(queue.ledger.inHand == 3)
    }

    @Test func `A limit below one is one`() {
        #expect(LateFramePolicy.bounded(0).capacity == 1)
        #expect(LateFramePolicy.lossless(-3).capacity == 1)
        #expect(Queue(policy: .bounded(-1), leaseLimit: 0).leaseLimit == 1)
    }

    @Test func `A reader that holds its limit gets no more until it lets go of one`() {
        let listener = Listener()
        let changes = listener.changes
        let queue = Queue(policy: .latest, leaseLimit: 2)
        queue.tell(listener)
        var leases = [queue.lease(), queue.lease()]
        #expect(!leases.contains { $0 == nil })
        #expect(queue.lease() == nil)
        #expect(queue.holdings.count == 2)
        guard case .dropped(.outOfBuffers) = queue.enqueue(1) else { return #expect(Bool(false)) }
        #expect(queue.ledger.dropped[.outOfBuffers] == 1)
        #expect(queue.ledger.isBalanced)
        let before = changes.now
        leases.removeLast()
        #expect(changes.now == before + 1)
        #expect(queue.holdings.count == 1)
        #expect(queue.enqueue(2).isAccepted)
        #expect(changes.now == before + 2)
        // Below the limit: there is nothing more to take than before.
        leases.removeAll()
        #expect(changes.now == before + 2)
        #expect(queue.holdings.count == 0)
        #expect(queue.holdings.oldest == nil)
        withExtendedLifetime(listener) {}
    }

    @Test func `A lease taken with a frame counts, and a frame that is not wanted stays`() {
        let queue = Queue(policy: .lossless(3), leaseLimit: 1)
        guard case .nothing(let outlook) = queue.takeLeased(where: { _ in true }) else { return #expect(Bool(false)) }
        #expect(!outlook.hasSomething)
        _ = queue.enqueue(1)
        _ = queue.enqueue(2)
        guard case .unwanted = queue.takeLeased(where: { $0 == 2 }) else { return #expect(Bool(false)) }
        #expect(queue.ledger.waiting == 2)
        guard case .element(1, let lease?) = queue.takeLeased(where: { _ in true }) else {
            return #expect(Bool(false))
        }
        // At the limit a lossless queue keeps its frame.
        guard case .nothing(let full) = queue.takeLeased(where: { _ in true }) else { return #expect(Bool(false)) }
        #expect((full.hasElement, full.isAtLimit) == (true, true))
        #expect((queue.ledger.waiting, queue.ledger.inHand) == (1, 1))
        withExtendedLifetime(lease) {}
    }

    @Test func `The oldest holding is the one that is named`() throws {
        let queue = Queue(policy: .latest)
        let before = HostTime.now
        var first = queue.lease()
        let between = HostTime.now
        let second = queue.lease()
        #expect(try #require(queue.holdings.oldest) >= before)
        #expect(try #require(queue.holdings.oldest) <= between)
        first = nil
        #expect(first == nil)
        #expect(try #require(queue.holdings.oldest) >= between)
        withExtendedLifetime(second) {}
    }

    @Test func `A lease may outlive its queue`() {
        var queue: Queue? = Queue(policy: .latest)
        var lease = queue?.lease()
        queue = nil
        lease = nil
        #expect(lease == nil)
    }

    @Test(arguments: DropReason.allCases)
    func `Each reason is counted on its own`(reason: DropReason) {
        let queue = Queue(policy: .bounded(4))
        queue.drop(reason)
        _ = queue.enqueue(1)
        _ = queue.takeElement()
        queue.dropInHand(reason)
        _ = queue.enqueue(2)
        queue.flush(reason)
        let ledger = queue.ledger
        #expect(ledger.dropped[reason] == 3)
        #expect(ledger.dropped.total == 3)
        #expect(ledger.offered == 3)
        #expect(ledger.isBalanced)
    }

    @Test func `A frame that the condition refuses stays where it is`() {
        let queue = Queue(policy: .bounded(2))
        _ = queue.enqueue(1)
        guard case .nothing = queue.take(where: { $0 > 1 }) else { return #expect(Bool(false)) }
        #expect(queue.ledger.waiting == 1)
        guard case .element(1) = queue.peek() else { return #expect(Bool(false)) }
        #expect(queue.takeElement() == 1)
    }

    @Test func `After its finish a queue gives what waits, then its end`() {
        struct Failure: Error {}
        let queue = Queue(policy: .bounded(3))
        _ = queue.enqueue(1)
        queue.finish(throwing: Failure())
        queue.finish()
        #expect(queue.hasEnded)
        guard case .closed = queue.enqueue(2) else { return #expect(Bool(false)) }
        queue.skip()
        queue.drop(.late)
        #expect(queue.takeElement() == 1)
        guard case .ended(let error) = queue.take(), error is Failure else { return #expect(Bool(false)) }
        #expect(queue.ledger.offered == 1)
        queue.finishInHand()
        #expect(queue.ledger.delivered == 1)
    }

    @Test func `A closed queue drops what waits as stopped, keeps no account, and is at its end`() {
        let listener = Listener()
        let queue = Queue(policy: .bounded(3))
        queue.tell(listener)
        for index in 1...3 { _ = queue.enqueue(index) }
        _ = queue.takeElement()
        queue.close()
        queue.close()
        queue.finish()
        guard case .closed = queue.enqueue(4), case .ended(nil) = queue.take() else { return #expect(Bool(false)) }
        #expect(queue.ledger.dropped[.stopped] == 2)
        queue.finishInHand()
        let ledger = queue.ledger
        #expect((ledger.offered, ledger.delivered, ledger.inHand) == (3, 1, 0))
        #expect(ledger.isBalanced)
        #expect(listener.changes.now >= 4)
    }

    @Test func `Being done with nothing changes no account`() {
        let queue = Queue(policy: .latest)
        queue.finishInHand()
        queue.dropInHand(.late)
        #expect(queue.ledger == Queue(policy: .latest).ledger)
    }

    @Test(arguments: ["take", "flush", "close", "finish"])
    func `A lossless offer waits while the queue is full, and is freed by`(change: String) {
        let queue = Queue(policy: .lossless(1))
        _ = queue.enqueue(1)
        let began = Count()
        let accepted = Count()
        let refused = Count()
        _ = WorkerThread.detach(name: "offer") {
            began.add()
            if queue.enqueue(2).isAccepted { accepted.add() } else { refused.add() }
        }
        #expect(began.blocksUntil(1))
        // It cannot have been taken in: there is no room, and nothing but the change makes any.
        #expect(queue.ledger.offered == 1)
        switch change {
        case "take": #expect(queue.takeElement() == 1)
        case "flush": queue.flush(.discontinuity)
        case "close": queue.close()
        default: queue.finish()
        }
        let isAccepted = change == "take" || change == "flush"
        #expect((isAccepted ? accepted : refused).blocksUntil(1))
        #expect(queue.ledger.isBalanced)
        #expect(queue.ledger.offered == (isAccepted ? 2 : 1))
        #expect(queue.ledger.dropped[.discontinuity] == (change == "flush" ? 1 : 0))
    }

    @Test func `A lossless reader gets every frame, in order, across threads`() {
        let total = 20_000
        let listener = Listener()
        let ready = listener.changes
        let queue = Queue(policy: .lossless(3))
        queue.tell(listener)
        _ = WorkerThread.detach(name: "source") {
            for index in 0..<total { _ = queue.enqueue(index) }
            queue.finish()
        }
        var expected = 0
        var isAtEnd = false
        while !isAtEnd {
            let seen = ready.now
            switch queue.take() {
            case .element(let element):
                #expect(element == expected)
                expected += 1
                queue.finishInHand()
            case .nothing: guard ready.blocksUntil(seen + 1) else { return #expect(Bool(false), "it is stuck") }
            case .ended: isAtEnd = true
            }
        }
        #expect(expected == total)
        #expect(queue.ledger.delivered == UInt64(total))
        #expect(queue.ledger.isBalanced)
        withExtendedLifetime(listener) {}
    }
}

private final class Listener: FrameQueueListener {
    let changes = Count()

    func queueChanged() { changes.add() }
}

extension FrameQueue.Outcome {
    var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }
}

extension FrameQueue {
    /// The next frame, or nil if there is none.
    func takeElement() -> Element? {
        if case .element(let element) = take() { element } else { nil }
    }
}
