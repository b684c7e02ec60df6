// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import ObscuraBase
internal import ObscuraMedia

/// Calls a delegate on its queue, one callback at a time.
final class DelegateReader<Reader: ConnectionReader>: RunningCallback {
    /// The delegate's calls. Each asks for the delegate anew, which it does not keep alive.
    struct Calls: Sendable {
        /// The output and its delegate; nil when one of them is gone. While they are held the other calls reach them.
        let owners: @Sendable () -> [any AnyObject & Sendable]?
        let onElement: @Sendable (Reader.Element) -> Void
        let onDrop: @Sendable (DroppedFrame) -> Void
        let onEnd: @Sendable (ObscuraError?) -> Void
    }

    private struct State {
        var reader: Reader?
        var drops = DropReports()
        /// The number of the running callback; nil while none runs.
        var running: UInt64?
        var callbacks: UInt64 = 0
        /// Whether a job for the queue is on its way, so that there is never more than one.
        var isScheduled = false
    }

    let name: String
    // Weak, since its output owns this.
    private weak let connection: CaptureConnection?
    private let queue: DispatchQueue
    private let calls: Calls
    private let makeReader: @Sendable (_ onDrop: @escaping @Sendable (DroppedFrame) -> Void) -> Reader?
    private let state = Lock(State())

    /// - Parameters:
    ///   - connection: what it reads; its output owns both.
    ///   - queue: where the delegate is called.
    ///   - calls: the delegate.
    ///   - makeReader: a new reader of the output, with a new account; nil if the output is gone.
    init(
        connection: CaptureConnection, queue: DispatchQueue, calls: Calls,
        makeReader: @escaping @Sendable (_ onDrop: @escaping @Sendable (DroppedFrame) -> Void) -> Reader?
    ) {
        name = connection.outputName
        self.connection = connection
        self.queue = queue
        self.calls = calls
        self.makeReader = makeReader
    }

    /// Begins a new account, if there is none: the delegate gets frames from now on.
    func open() {
        guard let connection, let reader = makeReader({ [weak self] drop in self?.report(drop) }) else { return }
        let isNew = state.withLock { state in
            guard state.reader == nil else { return false }
            state.reader = reader
            return true
        }
        guard isNew else { return }
        connection.attach(reader)
        listen(to: reader)
    }

    /// No callback begins any more, until it is opened again.
    func pause() {
        guard let reader = takeReader() else { return }
        reader.close()
    }

    /// Closes the account of a source that is at its end, whether or not all of it was taken.
    func closeIfEnded() {
        guard let reader = state.withLock({ $0.reader }), reader.hasEnded else { return }
        close()
    }

    /// No callback begins any more, and the account is closed.
    func close() {
        guard let reader = takeReader() else { return }
        release(reader)
    }

    /// As ``close()``, unless the account has been closed meanwhile: the next one may be open already.
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

    func wait(until deadline: HostTime, calledFrom caller: CallbackContext?) -> Bool {
        state.wait(until: deadline) { state in
            guard let running = state.running else { return true }
            return caller == CallbackContext(reader: ObjectIdentifier(self), number: running) ? true : nil
        } ?? false
    }

    /// Whether a callback runs at this moment.
    var isCalling: Bool { state.withLock { $0.running != nil } }

    private func takeReader() -> Reader? {
        state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
    }

    private func listen(to reader: Reader) {
        reader.whenReady { [weak self] in self?.schedule() }
    }

    private func report(_ drop: DroppedFrame) {
        state.withLock { $0.drops.append(drop) }
        schedule()
    }

    private func schedule() {
        let isFirst = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { queue.async { [self] in handle() } }
    }

    /// One turn on the delegate's queue: what was dropped, and the next frame.
    private func handle() {
        let (reader, drops) = state.withLock { state in
            state.isScheduled = false
            return (state.reader, state.drops.takeAll())
        }
        guard let reader, connection != nil else { return }
        // Held for the whole turn: a frame must not count as delivered to somebody who went meanwhile.
        guard let owners = calls.owners() else { return close(reader) }
        defer { withExtendedLifetime(owners) {} }
        for drop in drops {
            call(reader) { calls.onDrop(drop) }
        }
        switch reader.takeReady() {
        case .nothing:
            listen(to: reader)
        case .element(let element, let epoch):
            let begin = HostTime.now
            var isLeft = false
            let isCalled = call(reader) {
                // The last look: a switch may have come since the frame was taken.
                isLeft = !reader.isCurrent(epoch)
                if !isLeft { calls.onElement(element) }
            }
            if isCalled, !isLeft {
                reader.finish()
                reader.stages.record(.handling, from: begin, to: .now)
            } else {
                reader.dropInHand(isLeft ? .discontinuity : .stopped)
            }
            listen(to: reader)
        case .ended(let error):
            call(reader) { calls.onEnd(error) }
            // Whoever was told may have started the session again.
            close(reader)
        }
    }

    /// Runs a callback, unless the reader was paused or closed; then returns false.
    @discardableResult
    private func call(_ reader: Reader, _ body: () -> Void) -> Bool {
        let number = state.withLock { state -> UInt64? in
            guard state.reader === reader else { return nil }
            state.callbacks += 1
            state.running = state.callbacks
            return state.callbacks
        }
        guard let number else { return false }
        let context = CallbackContext(reader: ObjectIdentifier(self), number: number)
        CallbackContext.$current.withValue(context, operation: body)
        state.withLockSignalling { $0.running = nil }
        return true
    }
}
