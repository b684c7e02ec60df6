// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The current delegate of an output, and former ones whose callback may still run.
final class DelegateSlot: Sendable {
    private struct State {
        var delegate: (any DelegateCaller)?
        /// Former delegates whose callback was running when they were removed.
        var former: [any DelegateCaller] = []
    }

    private let state = Lock(State())

    deinit {
        state.withLock { $0.delegate }?.close()
    }

    /// Replaces the delegate; nil removes it.
    func set(_ delegate: (any DelegateCaller)?) {
        let former = state.withLock { state in
            defer { state.delegate = delegate }
            state.former.removeAll { !$0.isCalling }
            if let former = state.delegate { state.former.append(former) }
            return state.delegate
        }
        former?.close()
        delegate?.open()
        // Another delegate may have been set before this one was opened.
        if let delegate, state.withLock({ $0.delegate !== delegate }) { delegate.close() }
    }

    /// Stops the delivery of frames at a stop of the session. Returns the callbacks that may still run.
    func pause() -> [any RunningCallback] {
        let (delegate, former) = state.withLock { ($0.delegate, $0.former) }
        delegate?.pause()
        return former + (delegate.map { [$0] } ?? [])
    }

    /// Closes a delegate's reader whose source has ended, even if its callback is running. Called before a start.
    func closeIfEnded() {
        state.withLock { $0.delegate }?.closeIfEnded()
    }

    /// Starts the delivery of frames, with new statistics, at a start of the session.
    func open() {
        state.withLock { $0.delegate }?.open()
    }
}

/// A delegate and its reader; implemented by ``DelegateReader``.
protocol DelegateCaller: RunningCallback, ReadyListener {
    /// Attaches a reader with new statistics unless there is one: the delegate gets frames from now on.
    func open()
    /// Closes the reader without detaching it: no callback begins until the next ``open()``.
    func pause()
    /// Closes the reader of a source that has ended, even if frames remain.
    func closeIfEnded()
    /// Detaches the reader: no callback begins from now on.
    func close()
}
