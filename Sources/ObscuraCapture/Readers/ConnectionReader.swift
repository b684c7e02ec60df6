// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// One reader of a connection, of pictures or of sound: its mailbox, its account, and how it is handed things.
///
/// The front ends (``DelegateReader``, ``ReaderLoop``) do the same two things with any of them:
/// ``whenReady(_:)``, and, on their own thread, ``takeReady()``.
protocol ConnectionReader: AnyObject, Sendable {
    /// What waits in the mailbox.
    associatedtype Item: Sendable
    /// What the reader is given.
    associatedtype Element: Sendable

    var name: String { get }
    var queue: FrameQueue<Item> { get }
    var stages: StageRecorder { get }
    /// How many of the source's buffers it may need at one time; for the size of the pools.
    var bufferCount: Int { get }

    /// The epoch of the connection that it is being attached to; nothing has been offered yet.
    func enter(epoch: UInt64)
    /// From now on only this epoch counts; what waits or is being converted was left.
    func begin(epoch: UInt64)
    /// Whether something of this epoch may still be handed out: no switch has come since it was taken.
    func isCurrent(_ epoch: UInt64) -> Bool
    /// Books something that never came.
    func lose(_ drop: DroppedFrame)
    /// No more will come; what waits is still handed out.
    func finish(throwing error: ObscuraError?)
    /// Ends the reader at once.
    func close()

    /// Calls `body` once, as soon as ``takeReady()`` may give something: now, or later on any thread.
    func whenReady(_ body: @escaping @Sendable () -> Void)
    /// What is next, if there is anything. It counts as in hand until ``finish()``.
    func takeReady() -> Ready<Element>
}

/// What there is for a reader at this moment.
enum Ready<Element: Sendable>: Sendable {
    /// The next one, and the epoch of its connection; see ``ConnectionReader/isCurrent(_:)``.
    case element(Element, epoch: UInt64)
    /// Nothing; ``ConnectionReader/whenReady(_:)`` will tell.
    case nothing
    /// No more will come; the error is why it ended early.
    case ended(ObscuraError?)
}

extension ConnectionReader {
    var ledger: ReaderLedger { queue.ledger }
    var holdings: (count: Int, oldest: HostTime?) { queue.holdings }
    var isLossless: Bool { queue.policy.isLossless }
    var hasEnded: Bool { queue.hasEnded }

    /// Books something that the connection does not let pass.
    func skip() { queue.skip() }
    /// The source begins again, and nothing of it was offered yet: what was told of its end does not count.
    func revive() { queue.revive() }
    /// The reader is done with what it took last.
    func finish() { queue.finishInHand() }
    /// What it took last does not bufferCount it.
    func dropInHand(_ reason: DropReason) { queue.dropInHand(reason) }
}
