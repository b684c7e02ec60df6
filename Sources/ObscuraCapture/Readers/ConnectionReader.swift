// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A reader of a connection, of video or audio: its queue, its statistics, and its delivery.
///
/// The front ends (``DelegateReader``, ``ReaderLoop``) use every reader in the same way: ``whenReady(_:)``, then
/// ``takeReady()`` on their own thread.
protocol ConnectionReader: AnyObject, Sendable {
    /// The type of queued elements.
    associatedtype Item: RoutedItem
    /// The type of delivered elements.
    associatedtype Element: Sendable

    var name: String { get }
    var queue: FrameQueue<Item> { get }
    var stages: StageRecorder { get }
    /// Called for each dropped element, on any thread; must not block.
    var onDrop: @Sendable (DroppedFrame) -> Void { get }
    /// Whether the reader needs each element when it arrives.
    var isPrompt: Bool { get }
    /// The maximum number of the source's buffers in use at once; determines the size of the pools.
    var bufferCount: Int { get }

    /// Sets the epoch of the connection to which the reader is being attached, before any frame is queued.
    func enter(epoch: UInt64)
    /// Starts a new epoch: frames of other epochs that are queued or being converted are dropped.
    func begin(epoch: UInt64)
    /// Whether an element of this epoch may still be delivered, as no switch has occurred since it was taken.
    func isCurrent(_ epoch: UInt64) -> Bool
    /// Ends the input; queued elements are still delivered.
    func finish(throwing error: ObscuraError?)
    /// Ends the reader at once.
    func close()

    /// Wakes `waiter` once when ``takeReady()`` may return something: at once, or later on any thread.
    func whenReady(_ waiter: ReaderWaiter)
    /// Takes the next element, if there is one. It counts as in hand until ``finish()``.
    func takeReady() -> Ready<Element>
}

/// A frame or a buffer of audio in the queue of a reader.
protocol RoutedItem: Sendable {
    /// The number of the frame, or the position of the buffer.
    var sequence: UInt64 { get }
    var presentationTime: MediaTime { get }
    /// The time when it entered the session, or left its decoder.
    var arrival: HostTime { get }
    /// The timeline of the connection on which it was routed; see ``CaptureConnection/join(_:input:)``.
    var epoch: UInt64 { get }
}

/// The result of ``ConnectionReader/takeReady()``.
enum Ready<Element: Sendable>: Sendable {
    /// The next element. `epoch` is the number of the connection's source when the element was routed: each switch to
    /// another source increases the number. See ``ConnectionReader/isCurrent(_:)``.
    case element(Element, epoch: UInt64)
    /// No element is available yet. Use ``ConnectionReader/whenReady(_:)`` to wait for an element.
    case nothing
    /// All elements have been taken. The value is the error of the source or the reader; nil if no error occurred.
    case ended(ObscuraError?)
}

extension ConnectionReader {
    var isPrompt: Bool { true }

    /// Calls `body` once when ``takeReady()`` may return something: at once, or later on any thread.
    func whenReady(_ body: @escaping @Sendable () -> Void) { whenReady(.callback(body)) }

    var ledger: ReaderLedger { queue.ledger }
    var holdings: (count: Int, oldest: HostTime?) { queue.holdings }
    var isLossless: Bool { queue.policy.isLossless }
    var hasEnded: Bool { queue.hasEnded }

    /// Reports all counts and durations from now on.
    func report(to metrics: ReaderMetrics) {
        queue.report(to: metrics)
        stages.report(to: metrics)
    }

    /// Queues an element, and reports elements that are dropped for it; blocks with a lossless policy while the queue
    /// is full.
    ///
    /// - Parameter waits: Whether it may block; false for the last element of a source.
    func enqueue(_ item: Item, waits: Bool = true) {
        switch queue.enqueue(item, epoch: item.epoch, waits: waits) {
        case .accepted, .closed: break
        case .acceptedInPlaceOf(let older): report(older, .late)
        case .dropped(let reason): report(item, reason)
        case .droppedWithWaiting(let reason, let older):
            older.forEach { report($0, reason) }
            report(item, reason)
        }
    }

    /// Reports a dropped element.
    func report(_ item: Item, _ reason: DropReason) {
        onDrop(
            DroppedFrame(sequence: item.sequence, presentationTime: item.presentationTime, reason: reason, count: 1))
    }

    /// Counts and reports an element that was lost before it reached the reader.
    func lose(_ drop: DroppedFrame) {
        queue.drop(drop.reason)
        onDrop(drop)
    }

    /// Counts an element that the connection does not let pass.
    func skip() { queue.skip() }
    /// Clears the end of a source that restarts, if nothing of it has been queued yet.
    func revive() { queue.revive() }
    /// Counts the element in hand as delivered.
    func finish() { queue.finishInHand() }
    /// Counts the element in hand as dropped.
    func dropInHand(_ reason: DropReason) { queue.dropInHand(reason) }
}
