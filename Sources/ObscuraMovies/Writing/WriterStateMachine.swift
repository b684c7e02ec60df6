// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The valid calls to a writer in each state.
///
///     idle ──startSession──► writing ──endSession──► idle …
///       └───────────────┬───────┘
///                    finish ──► finished
///                    cancel ──► cancelled
///                    (failure) ──► failed ──finish──► finished
///
/// A failure is thrown by every append, and again by `finish`, which keeps the written data.
struct WriterStateMachine: Sendable {
    enum State: Sendable, Hashable {
        case idle, writing, failed(ObscuraError), finished, cancelled
    }

    private(set) var state = State.idle
    let subject: String

    /// Throws unless samples can be appended.
    func checkAppend() throws(ObscuraError) {
        switch state {
        case .writing: return
        case .idle: throw invalid("nothing can be appended before startSession(at:) or between two segments")
        case .failed(let error): throw error
        case .finished: throw invalid("it is finished and accepts no more samples")
        case .cancelled: throw cancelled
        }
    }

    /// Throws unless another part can be requested, which includes the time before the first segment and between two.
    func checkSplit() throws(ObscuraError) {
        if case .idle = state { return }
        try checkAppend()
    }

    mutating func startSession() throws(ObscuraError) {
        switch state {
        case .idle: state = .writing
        case .writing: throw invalid("a segment is already open and must be ended first, with endSession(at:)")
        default: try checkAppend()
        }
    }

    mutating func endSession() throws(ObscuraError) {
        switch state {
        case .writing: state = .idle
        case .idle: throw invalid("no segment is open")
        default: try checkAppend()
        }
    }

    mutating func finish() throws(ObscuraError) {
        switch state {
        case .idle, .writing, .failed: state = .finished
        case .finished: throw invalid("it is already finished")
        case .cancelled: throw cancelled
        }
    }

    mutating func fail(_ error: ObscuraError) {
        switch state {
        case .idle, .writing: state = .failed(error)
        default: break
        }
    }

    /// Returns whether there is a file to delete.
    mutating func cancel() -> Bool {
        switch state {
        case .idle, .writing, .failed:
            state = .cancelled
            return true
        case .finished, .cancelled: return false
        }
    }

    private func invalid(_ reason: String) -> ObscuraError {
        ObscuraError(.recording, .invalidState, subject: subject, reason: reason)
    }

    private var cancelled: ObscuraError {
        ObscuraError(.recording, .cancelled, subject: subject, reason: "the recording was cancelled")
    }
}
