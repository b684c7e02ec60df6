// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import Obscura
internal import ObscuraBase

/// Starts a new part of a recording whenever the current one reaches the given length.
struct PartSplitter {
    private let timer: any DispatchSourceTimer
    private let failures = Lock(0)

    /// Whether a part could not be started. The previous part then continues, and the error was reported.
    var hasFailed: Bool { failures.withLock { $0 > 0 } }

    /// - Parameters:
    ///   - metadata: the metadata of each part.
    ///   - path: returns the path of a part; the first part is 1.
    init(
        _ movie: MovieFileOutput, every length: MediaTime, metadata: Metadata, path: @escaping @Sendable (Int) -> String
    ) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "obscura.split"))
        timer.schedule(deadline: .now(), repeating: .milliseconds(50))
        let parts = Parts()
        timer.setEventHandler { [failures] in
            guard movie.recordedDuration >= length * Int64(parts.count) else { return }
            do throws(ObscuraError) {
                try movie.splitRecording(to: path(parts.count + 1), metadata: metadata)
                parts.count += 1
            } catch  where error.code == .invalidState {
                // Nothing is being recorded at this moment; the timer tries again.
            } catch {
                Terminal.complain(error)
                failures.withLock { $0 += 1 }
                parts.count += 1
            }
        }
        timer.resume()
    }

    func cancel() { timer.cancel() }

    /// Used only on the timer's queue.
    private final class Parts {
        var count = 1
    }
}
