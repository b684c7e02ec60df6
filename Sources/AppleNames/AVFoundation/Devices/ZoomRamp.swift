// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import Foundation
internal import ObscuraBase

/// A zoom factor that changes at a constant rate.
struct ZoomRamp: Sendable {
    let start: Double
    let target: Double
    /// In powers of two per second.
    let rate: Double

    /// The time until the target, in seconds.
    var duration: Double { abs(log2(target / start)) / rate }

    /// Returns the zoom factor some seconds after the beginning; that of the target at the end.
    func factor(after seconds: Double) -> Double {
        guard seconds < duration else { return target }
        return start * exp2(target > start ? rate * seconds : -rate * seconds)
    }
}

/// The ramp of a camera that runs, on a queue of its own.
final class RunningZoomRamp: Sendable {
    private static let interval = DispatchTimeInterval.milliseconds(33)

    private let queue = DispatchQueue(label: "obscura.avfoundation.zoom")
    private let timer = Lock<(any DispatchSourceTimer)?>(nil)

    /// Whether a ramp runs.
    var isRunning: Bool { timer.withLock { $0 != nil } }

    /// Begins a ramp in the place of one that runs.
    ///
    /// - Parameter set: sets a zoom factor; called on the queue, at last with that of the target.
    func begin(_ ramp: ZoomRamp, _ set: @escaping @Sendable (Double) -> Void) {
        let begin = DispatchTime.now()
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: begin, repeating: Self.interval)
        timer.setEventHandler { [weak self] in
            let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9
            set(ramp.factor(after: seconds))
            if seconds >= ramp.duration { self?.end() }
        }
        queue.sync {
            end()
            self.timer.withLock { $0 = timer }
        }
        timer.activate()
    }

    /// Ends the ramp that runs. No zoom factor is set after the return.
    func cancel() { queue.sync { end() } }

    private func end() {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
    }
}
