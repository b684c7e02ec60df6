// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A reader that delivers what is queued as it is: of audio and of compressed media, which do not use the source's pool.
protocol QueuedReader: ConnectionReader {
    var line: ReaderQueue<Item> { get }
    /// Returns what is delivered of a queued item, and the time at which its driver got it.
    func content(of item: Item) -> (element: Element, hostTime: HostTime, dequeueTime: HostTime?)?
    /// Called before the first item of an epoch.
    func startEpoch(_ epoch: UInt64)
}

extension QueuedReader {
    var name: String { line.name }
    var queue: FrameQueue<Item> { line.queue }
    var stages: StageRecorder { line.stages }
    var onDrop: @Sendable (DroppedFrame) -> Void { line.onDrop }
    /// Zero, since the items have their own memory.
    var bufferCount: Int { 0 }

    func startEpoch(_ epoch: UInt64) {}

    func enter(epoch: UInt64) {
        startEpoch(epoch)
        line.enter(epoch: epoch)
    }

    func begin(epoch: UInt64) {
        startEpoch(epoch)
        for item in line.begin(epoch: epoch) { report(item, .discontinuity) }
        line.wake()
    }

    func isCurrent(_ epoch: UInt64) -> Bool { line.epoch == epoch }

    func close() {
        queue.close()
        line.wake()
    }

    /// Ends the reader with an error, unless its source was switched meanwhile.
    func fail(_ error: ObscuraError, epoch: UInt64? = nil) {
        if line.fail(error, epoch: epoch) { close() }
    }

    func whenReady(_ waiter: ReaderWaiter) { line.whenReady(waiter) }

    func takeReady() -> Ready<Element> {
        switch line.take() {
        case .element(let item, let epoch):
            guard let (element, hostTime, dequeueTime) = content(of: item) else { return .nothing }
            if let dequeueTime { stages.record(.capture, from: hostTime, to: dequeueTime) }
            stages.record(.queue, from: item.arrival, to: .now)
            return .element(element, epoch: epoch)
        case .nothing: return .nothing
        case .ended(let error): return .ended(error)
        }
    }
}

/// The queue of a ``QueuedReader``, and its waiting consumer.
final class ReaderQueue<Item: RoutedItem>: FrameQueueListener {
    private struct State {
        var epoch: UInt64 = 0
        var waiter: ReaderWaiter?
        var failure: ObscuraError?
    }

    let name: String
    let queue: FrameQueue<Item>
    let stages = StageRecorder()
    let onDrop: @Sendable (DroppedFrame) -> Void
    private let state = Lock(State())

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - name: The name of the reader in statistics and messages.
    ///   - onDrop: Called for each dropped item, on any thread; must not block.
    init(name: String, policy: LateFramePolicy, onDrop: @escaping @Sendable (DroppedFrame) -> Void) {
        self.name = name
        self.onDrop = onDrop
        queue = FrameQueue(policy: policy, leaseLimit: .max)
        queue.tell(self)
    }

    func queueChanged() { wake() }

    var epoch: UInt64 { state.withLock { $0.epoch } }

    func enter(epoch: UInt64) {
        state.withLock { $0.epoch = epoch }
        _ = queue.begin(epoch: epoch)
    }

    /// Starts a new epoch. Returns the items that were queued.
    func begin(epoch: UInt64) -> [Item] {
        state.withLock { $0.epoch = epoch }
        return queue.begin(epoch: epoch)
    }

    /// Sets the error that the consumer gets next. Returns false for another epoch than the current one.
    func fail(_ error: ObscuraError, epoch: UInt64?) -> Bool {
        state.withLock { state in
            guard epoch == nil || epoch == state.epoch else { return false }
            state.failure = error
            return true
        }
    }

    func whenReady(_ waiter: ReaderWaiter) {
        state.withLock { $0.waiter = waiter }
        wake()
    }

    func take() -> Ready<Item> {
        if let failure = state.withLock({ $0.failure }) { return .ended(failure) }
        switch queue.take() {
        case .element(let item): return .element(item, epoch: item.epoch)
        case .nothing: return .nothing
        case .ended(let error):
            return .ended(error.map { ObscuraError(wrapping: $0, as: .capture, .deviceFailed, subject: name) })
        }
    }

    /// Calls the waiter if there is something to take.
    func wake() {
        let waiter = state.withLock { state -> ReaderWaiter? in
            guard state.waiter != nil, state.failure != nil || queue.outlook.hasSomething else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.wake()
    }
}
