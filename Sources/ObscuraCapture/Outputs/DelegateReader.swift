// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import ObscuraBase
internal import ObscuraMedia

/// A reader that calls a delegate, one callback at a time, on its queue or on the thread of arrival.
///
/// A protocol, with a final class for frames and one for audio: the methods of a generic class are not specialized for
/// its types, which cost 7,000 instructions per frame.
protocol DelegateReader: DelegateCaller {
    associatedtype Reader: ConnectionReader
    associatedtype Output: DataOutput
    associatedtype Delegate: Sendable

    var line: DelegateLine<Reader> { get }
    /// The output and its delegate; nil when one of them has been released.
    func owners() -> (Output, Delegate)?
    /// Creates a reader of the output with new statistics.
    ///
    /// - Parameter onDrop: Receives dropped frames; must not be called with a lock held.
    func makeReader(of output: Output, onDrop: @escaping @Sendable (DroppedFrame) -> Void) -> Reader
    /// Delivers an element to the delegate.
    func deliver(_ element: Reader.Element, of output: Output, to delegate: Delegate)
    /// Reports a dropped frame to the delegate.
    func report(_ drop: DroppedFrame, of output: Output, to delegate: Delegate)
    /// Reports the end of the elements to the delegate.
    func end(with error: ObscuraError?, of output: Output, to delegate: Delegate)
}

extension DelegateReader {
    var name: String { line.name }

    /// Delivers at the timer, if there is one, what has been gathered.
    func deliverGathered() {
        line.gathering?.add { [weak self] in self?.handle() }
    }

    func open() {
        guard let connection = line.connection, let (output, _) = owners() else { return }
        let reader = makeReader(of: output) { [weak self] drop in self?.report(drop) }
        let isNew = line.state.withLock { state in
            guard state.reader == nil else { return false }
            state.reader = reader
            return true
        }
        guard isNew else { return }
        connection.attach(reader)
        // It may have been closed before it was attached.
        guard line.state.withLock({ $0.reader === reader }) else { return connection.detach(reader) }
        listen(to: reader)
    }

    func pause() {
        guard let reader = takeReader() else { return }
        reader.close()
    }

    func closeIfEnded() {
        guard let reader = line.state.withLock({ $0.reader }), reader.hasEnded else { return }
        close()
    }

    func close() {
        guard let reader = takeReader() else { return }
        release(reader)
    }

    /// Detaches this reader, unless it was already replaced by another one.
    private func close(_ reader: Reader) {
        let isOpen = line.state.withLock { state in
            guard state.reader === reader else { return false }
            state.reader = nil
            return true
        }
        if isOpen { release(reader) }
    }

    private func release(_ reader: Reader) {
        if let connection = line.connection {
            connection.detach(reader)
        } else {
            reader.close()
        }
    }

    func wait(until deadline: HostTime) -> Bool {
        line.state.wait(until: deadline) { $0.running == nil || $0.awaitedStops > 0 ? true : nil } ?? false
    }

    func beginStop(in number: UInt64) {
        line.state.withLockSignalling { state in
            if state.running == number { state.awaitedStops += 1 }
        }
    }

    func endStop(in number: UInt64) {
        line.state.withLock { state in
            if state.running == number { state.awaitedStops -= 1 }
        }
    }

    var isCalling: Bool { line.state.withLock { $0.running != nil } }

    private func takeReader() -> Reader? {
        line.state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
    }

    private func listen(to reader: Reader) {
        guard line.gathering == nil else { return }
        reader.whenReady(.listener(self))
    }

    private func report(_ drop: DroppedFrame) {
        line.state.withLock { $0.drops.append(drop) }
        schedule()
    }

    func readerIsReady() { schedule() }

    private func schedule() {
        guard line.gathering == nil else { return }
        guard let queue = line.queue else { return handleOnArrival() }
        let isFirst = line.state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { queue.async { [self] in handle() } }
    }

    /// Handles pending work, unless a thread is doing so already: that thread then goes on. A callback, or another
    /// thread, may make the next frame available meanwhile; it must neither wait nor begin a callback within another
    /// one.
    private func handleOnArrival() {
        let isFirst = line.state.withLock { state in
            defer { (state.isScheduled, state.isHandling) = (true, true) }
            return !state.isHandling
        }
        guard isFirst else { return }
        repeat {
            handle()
        } while line.state.withLock { state in
            state.isHandling = state.isScheduled
            return state.isHandling
        }
    }

    /// Reports dropped frames and delivers the next frame, or all that were gathered.
    private func handle() {
        let (reader, drops) = line.state.withLock { state in
            state.isScheduled = false
            return (state.reader, state.drops.takeAll())
        }
        guard let reader else { return }
        // Retained throughout, so that no frame counts as delivered to a delegate that was released in the
        // meantime.
        guard let (output, delegate) = owners() else { return close(reader) }
        defer { withExtendedLifetime((output, delegate)) {} }
        for drop in drops {
            call(reader, of: output) { report(drop, of: output, to: delegate) }
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
            let isCalled = call(reader, of: output) {
                // Checked last, since the source may have been switched after the frame was taken.
                guard reader.isCurrent(epoch) else { return reader.dropInHand(.discontinuity) }
                deliver(element, of: output, to: delegate)
                // Within the call, so that the ledger is up to date when a wait for its end returns.
                reader.finish()
                reader.stages.record(.handling, from: begin, to: .now)
            }
            if !isCalled { reader.dropInHand(.stopped) }
            guard isCalled, line.gathering != nil else {
                listen(to: reader)
                return false
            }
            return true
        case .ended(let error):
            call(reader, of: output) { end(with: error, of: output, to: delegate) }
            // The callback may have started the session again.
            close(reader)
            return false
        }
    }

    /// Runs a callback; returns false if the reader was paused or closed.
    @discardableResult
    private func call(_ reader: Reader, of output: Output, _ body: () -> Void) -> Bool {
        let number = line.state.withLock { state -> UInt64? in
            guard state.reader === reader else { return nil }
            state.callbacks += 1
            state.running = state.callbacks
            state.awaitedStops = 0
            return state.callbacks
        }
        guard let number else { return false }
        let session = output.connection.owner.map { ObjectIdentifier($0) }
        let context = CallbackContext(reader: self, number: number, session: session)
        CallbackContext.$current.withValue(context, operation: body)
        line.state.withLockSignalling { $0.running = nil }
        return true
    }
}
