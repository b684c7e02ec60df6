// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// Starts a new part of a recording whenever the current one reaches the given length.
final class PartSplitter: Sendable {
    private struct State {
        var count = 1
        /// The recorded duration at which the next part begins.
        var next: MediaTime
        var hasFailed = false
    }

    private let length: MediaTime
    private let metadata: Metadata
    private let path: @Sendable (Int) -> String
    private let state: Lock<State>

    /// Whether a part could not be started. The previous part then continues, and the error was reported.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// - Parameters:
    ///   - metadata: the metadata of each part.
    ///   - path: returns the path of a part; the first part is 1.
    init(every length: MediaTime, metadata: Metadata, path: @escaping @Sendable (Int) -> String) {
        (self.length, self.metadata, self.path) = (length, metadata, path)
        state = Lock(State(next: length))
    }

    /// Splits the next recording of `movie`.
    func begin(with movie: MovieFileOutput) {
        let end = movie.maxRecordedDuration
        movie.beforeFrame = { [self, weak movie] duration in
            guard duration >= state.withLock({ $0.next }), let movie else { return }
            // A frame after the end begins no part.
            if let end, duration >= end { return }
            split(movie, at: duration)
        }
    }

    /// Called for one frame at a time.
    private func split(_ movie: MovieFileOutput, at duration: MediaTime) {
        do throws(ObscuraError) {
            try movie.splitRecording(to: path(state.withLock { $0.count } + 1), metadata: metadata)
        } catch  where error.code == .invalidState {
            // The recording is ending, or many parts wait for their first frame: the next frame tries again.
            return
        } catch {
            Terminal.complain(error)
            state.withLock { $0.hasFailed = true }
        }
        state.withLock { state in
            state.count += 1
            // A gap can be longer than a part.
            while state.next <= duration { state.next = state.next + length }
        }
    }
}
