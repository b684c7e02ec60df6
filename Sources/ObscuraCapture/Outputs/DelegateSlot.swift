// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The place of an output's delegate: at most one is called, and a former one may still be running.
final class DelegateSlot<Reader: ConnectionReader>: Sendable {
    private struct State {
        var delegate: DelegateReader<Reader>?
        /// Delegates that were taken away while a callback of theirs ran.
        var former: [DelegateReader<Reader>] = []
    }

    private let state = Lock(State())

    deinit {
        state.withLock { $0.delegate }?.close()
    }

    /// Puts a delegate in the place of the one there is; nil takes that away.
    func set(_ delegate: DelegateReader<Reader>?) {
        let former = state.withLock { state in
            defer { state.delegate = delegate }
            state.former.removeAll { !$0.isCalling }
            if let former = state.delegate { state.former.append(former) }
            return state.delegate
        }
        former?.close()
        delegate?.open()
        // Somebody may have put another one in its place before it was opened.
        if let delegate, state.withLock({ $0.delegate !== delegate }) { delegate.close() }
    }

    /// The session stops: nothing more is handed out. Returns the callbacks that may still run.
    func pause() -> [any RunningCallback] {
        let (delegate, former) = state.withLock { ($0.delegate, $0.former) }
        delegate?.pause()
        return former + (delegate.map { [$0] } ?? [])
    }

    /// The session is about to start: a source that has ended is over for the delegate, which may be in its callback.
    func closeIfEnded() {
        state.withLock { $0.delegate }?.closeIfEnded()
    }

    /// The session starts: the delegate begins a new account.
    func open() {
        state.withLock { $0.delegate }?.open()
    }
}
