// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A watch of a lossless reader that holds its limit of frames, and would block its source forever.
///
/// One thread, started when the limit is first reached, wakes whenever the time limit may have passed.
final class HoldingWatch: Sendable {
    private struct State {
        /// The time since which the reader has been blocked.
        var since: HostTime?
        var hasThread = false
    }

    /// The time for which a reader may be blocked.
    let patience: Duration
    private let isWriting: @Sendable () -> Bool
    private let closing = CancellationToken()
    private let state = Lock(State())

    /// Creates a watch.
    ///
    /// - Parameter isWriting: Whether the frames are in the queue of a writer, which may wait for its destination without
    ///   a time limit: then the reader does not count as blocked. Called on the watch's thread.
    init(patience: Duration, isWriting: @escaping @Sendable () -> Bool) {
        self.patience = patience
        self.isWriting = isWriting
    }

    deinit {
        close()
    }

    /// Notes that the reader is blocked.
    ///
    /// - Parameter onTimeout: Called once, on a thread of the watch, when it has been blocked for too long.
    func begin(onTimeout: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            if state.since == nil { state.since = .now }
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard isFirst else { return }
        let isStarted = WorkerThread.detach(name: "holdings") { [weak self, closing, patience] in
            var next = HostTime.now + patience
            while !closing.wait(until: next) {
                guard let self else { return }
                guard let since = currentBegin() else { return onTimeout() }
                next = since + patience
            }
        }
        if !isStarted { state.withLock { $0.hasThread = false } }
    }

    /// Notes that the reader is not blocked.
    func end() {
        state.withLock { $0.since = nil }
    }

    /// Ends the watch.
    func close() {
        closing.cancel()
    }

    /// Returns the begin of the current block, or the current time; nil if the reader has been blocked for too long.
    private func currentBegin() -> HostTime? {
        let since = state.withLock { $0.since } ?? .now
        guard .now - since >= patience else { return since }
        guard isWriting() else { return nil }
        // The time begins anew, unless the block has ended meanwhile.
        return state.withLock { state in
            if state.since != nil { state.since = .now }
            return state.since ?? .now
        }
    }
}
