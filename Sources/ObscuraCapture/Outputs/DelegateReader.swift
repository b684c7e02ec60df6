// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import ObscuraBase
internal import ObscuraMedia

/// A reader that calls a delegate, one callback at a time, on its queue or on the thread of arrival.
final class DelegateReader<Reader: ConnectionReader, Output: DataOutput, Delegate: Sendable>: DelegateCaller {
    /// A closure that receives dropped frames.
    typealias DropHandler = @Sendable (DroppedFrame) -> Void

    private struct State {
        var reader: Reader?
        var drops = DropReports()
        /// The number of the running callback; nil while none runs.
        var running: UInt64?
        var callbacks: UInt64 = 0
        /// How many stops of the session the running callback waits for.
        var awaitedStops = 0
        /// Whether ``DelegateReader/handle()`` is to be called, so that there is at most one job on the queue.
        var isScheduled = false
        /// Whether a thread is in ``DelegateReader/handle()``; used without a queue.
        var isHandling = false
    }

    let name: String
    // Weak, since the output of the connection owns this reader.
    private weak let connection: CaptureConnection?
    private let queue: DispatchQueue?
    /// The timer at which the elements that were gathered are delivered; nil delivers each immediately.
    private let gathering: GatheringTimer?
    private let owners: @Sendable () -> (Output, Delegate)?
    private let onElement: @Sendable (Output, Delegate, Reader.Element) -> Void
    private let onDrop: @Sendable (Output, Delegate, DroppedFrame) -> Void
    private let onEnd: @Sendable (Output, Delegate, ObscuraError?) -> Void
    private let makeReader: @Sendable (Output, @escaping DropHandler) -> Reader
    private let state = Lock(State())

    /// Creates a closed reader; see ``open()``.
    ///
    /// - Parameters:
    ///   - connection: The connection to read; its output owns both.
    ///   - place: The place where the callbacks run.
    ///   - gathering: The timer at which elements are delivered, on its thread instead of `place`; nil delivers each
    ///     immediately.
    ///   - owners: Returns the output and its delegate, nil when one of them has been released.
    ///   - onElement: Delivers an element to the delegate.
    ///   - onDrop: Reports a dropped frame to the delegate.
    ///   - onEnd: Reports the end of the elements to the delegate.
    ///   - makeReader: Creates a reader of the output with new statistics.
    init(
        _ connection: CaptureConnection, on place: CallbackPlace, gathering: GatheringTimer? = nil,
        owners: @escaping @Sendable () -> (Output, Delegate)?,
        onElement: @escaping @Sendable (Output, Delegate, Reader.Element) -> Void,
        onDrop: @escaping @Sendable (Output, Delegate, DroppedFrame) -> Void,
        onEnd: @escaping @Sendable (Output, Delegate, ObscuraError?) -> Void,
        makeReader: @escaping @Sendable (Output, @escaping DropHandler) -> Reader
    ) {
        name = connection.outputName
        self.connection = connection
        queue =
            switch place {
            case .queue(let target): DispatchQueue(label: "obscura.\(name)", target: target)
            case .arrival: nil
            }
        self.gathering = gathering
        self.owners = owners
        self.onElement = onElement
        self.onDrop = onDrop
        self.onEnd = onEnd
        self.makeReader = makeReader
        gathering?.add { [weak self] in self?.handle() }
    }

    func open() {
        guard let connection, let (output, _) = owners() else { return }
        let reader = makeReader(output) { [weak self] drop in self?.report(drop) }
        let isNew = state.withLock { state in
            guard state.reader == nil else { return false }
            state.reader = reader
            return true
        }
        guard isNew else { return }
        connection.attach(reader)
        listen(to: reader)
    }

    func pause() {
        guard let reader = takeReader() else { return }
        reader.close()
    }

    func closeIfEnded() {
        guard let reader = state.withLock({ $0.reader }), reader.hasEnded else { return }
        close()
    }

    func close() {
        guard let reader = takeReader() else { return }
        release(reader)
    }

    /// Detaches this reader, unless it was already replaced by another one.
    private func close(_ reader: Reader) {
        let isOpen = state.withLock { state in
            guard state.reader === reader else { return false }
            state.reader = nil
            return true
        }
        if isOpen { release(reader) }
    }

    private func release(_ reader: Reader) {
        if let connection {
            connection.detach(reader)
        } else {
            reader.close()
        }
    }

    func wait(until deadline: HostTime) -> Bool {
        state.wait(until: deadline) { $0.running == nil || $0.awaitedStops > 0 ? true : nil } ?? false
    }

    func beginStop(in number: UInt64) {
        state.withLockSignalling { state in
            if state.running == number { state.awaitedStops += 1 }
        }
    }

    func endStop(in number: UInt64) {
        state.withLock { state in
            if state.running == number { state.awaitedStops -= 1 }
        }
    }

    var isCalling: Bool { state.withLock { $0.running != nil } }
    var session: AnyObject? { connection?.owner }

    private func takeReader() -> Reader? {
        state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
    }

    private func listen(to reader: Reader) {
        guard gathering == nil else { return }
        reader.whenReady { [weak self] in self?.schedule() }
    }

    private func report(_ drop: DroppedFrame) {
        state.withLock { $0.drops.append(drop) }
        schedule()
    }

    private func schedule() {
        guard gathering == nil else { return }
        let isFirst = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isFirst else { return }
        guard let queue else { return handleOnArrival() }
        queue.async { [self] in handle() }
    }

    /// Handles pending work, unless a thread is doing so already. A callback, or another thread, may make the next
    /// frame available meanwhile; it must neither wait nor begin a callback within another one.
    private func handleOnArrival() {
        while state.withLock({ state in
            guard state.isScheduled, !state.isHandling else { return false }
            state.isHandling = true
            return true
        }) {
            handle()
            state.withLock { $0.isHandling = false }
        }
    }

    /// Reports dropped frames and delivers the next frame, or all that were gathered.
    private func handle() {
        let (reader, drops) = state.withLock { state in
            state.isScheduled = false
            return (state.reader, state.drops.takeAll())
        }
        guard let reader, connection != nil else { return }
        // Retained throughout, so that no frame counts as delivered to a delegate that was released in the
        // meantime.
        guard let (output, delegate) = owners() else { return close(reader) }
        defer { withExtendedLifetime((output, delegate)) {} }
        for drop in drops {
            call(reader) { onDrop(output, delegate, drop) }
        }
        while deliverNext(of: reader, to: delegate, output) {}
    }

    /// Delivers the next frame, or the end. Returns whether there may be another one to deliver now.
    private func deliverNext(of reader: Reader, to delegate: Delegate, _ output: Output) -> Bool {
        switch reader.takeReady() {
        case .nothing:
            listen(to: reader)
            return false
        case .element(let element, let epoch):
            let begin = HostTime.now
            let isCalled = call(reader) {
                // Checked last, since the source may have been switched after the frame was taken.
                guard reader.isCurrent(epoch) else { return reader.dropInHand(.discontinuity) }
                onElement(output, delegate, element)
                // Within the call, so that the ledger is up to date when a wait for its end returns.
                reader.finish()
                reader.stages.record(.handling, from: begin, to: .now)
            }
            if !isCalled { reader.dropInHand(.stopped) }
            guard isCalled, gathering != nil else {
                listen(to: reader)
                return false
            }
            return true
        case .ended(let error):
            call(reader) { onEnd(output, delegate, error) }
            // The callback may have started the session again.
            close(reader)
            return false
        }
    }

    /// Runs a callback; returns false if the reader was paused or closed.
    @discardableResult
    private func call(_ reader: Reader, _ body: () -> Void) -> Bool {
        let number = state.withLock { state -> UInt64? in
            guard state.reader === reader else { return nil }
            state.callbacks += 1
            state.running = state.callbacks
            state.awaitedStops = 0
            return state.callbacks
        }
        guard let number else { return false }
        let context = CallbackContext(reader: self, number: number)
        CallbackContext.$current.withValue(context, operation: body)
        state.withLockSignalling { $0.running = nil }
        return true
    }
}
