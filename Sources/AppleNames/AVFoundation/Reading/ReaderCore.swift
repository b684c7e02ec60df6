// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The state of a reader, which its outputs share.
final class ReaderCore: Sendable {
    private struct State {
        var status = AVAssetReaderStatus.unknown
        var error: ObscuraError?
        /// Outputs that have not returned their last samples.
        var openOutputs = 0
    }

    /// The path of the movie, for messages.
    let subject: String
    /// Ends the waits of all outputs.
    let control = ReadControl()
    private let state = Lock(State())

    init(subject: String) {
        self.subject = subject
    }

    var status: AVAssetReaderStatus { state.withLock { $0.status } }
    var error: ObscuraError? { state.withLock { $0.error } }

    func invalidState(_ reason: String) -> ObscuraError {
        ObscuraError(.movies, .invalidState, subject: subject, reason: reason)
    }

    func start(outputs count: Int) {
        state.withLock { state in
            guard state.status == .unknown else { return }
            state.status = .reading
            state.openOutputs = count
        }
    }

    /// An output has returned its last samples.
    func finishOutput() {
        state.withLock { state in
            state.openOutputs -= 1
            if state.status == .reading, state.openOutputs == 0 { state.status = .completed }
        }
    }

    /// Fails, unless the reader has ended.
    func fail(_ error: ObscuraError) {
        state.withLock { state in
            guard state.status == .unknown || state.status == .reading else { return }
            (state.status, state.error) = (.failed, error)
        }
    }

    /// Cancels the reader, unless it has ended. Returns whether it was cancelled.
    func cancel() -> Bool {
        let isCancelled = state.withLock { state in
            guard state.status == .unknown || state.status == .reading else { return false }
            state.status = .cancelled
            return true
        }
        if isCancelled { control.cancel() }
        return isCancelled
    }
}
