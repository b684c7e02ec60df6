// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import Obscura

/// Begins a new part of a recording each time that the present one is long enough.
struct PartSplitter {
    private let timer: any DispatchSourceTimer

    /// - Parameter path: the name of a part, the first of which is 1.
    init(_ movie: MovieFileOutput, every length: MediaTime, path: @escaping @Sendable (Int) -> String) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "obscura.split"))
        timer.schedule(deadline: .now(), repeating: .milliseconds(50))
        let parts = Parts()
        timer.setEventHandler {
            guard movie.recordedDuration >= length * Int64(parts.count) else { return }
            do throws(ObscuraError) {
                try movie.splitRecording(to: path(parts.count + 1))
                parts.count += 1
            } catch  where error.code == .invalidState {
                // Nothing is recorded at this moment; it is tried again.
            } catch {
                Terminal.complain(error)
                parts.count += 1
            }
        }
        timer.resume()
    }

    func cancel() { timer.cancel() }

    /// On the timer's queue alone.
    private final class Parts {
        var count = 1
    }
}
