// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch

/// A job that runs at regular intervals on its own queue, never concurrently, until it is finished.
struct RepeatedJob {
    private let timer: any DispatchSourceTimer
    private let queue: DispatchQueue

    /// - Parameters:
    ///   - name: the name of the queue.
    ///   - interval: the time between two runs, and before the first one.
    init(_ name: String, every interval: DispatchTimeInterval, _ job: @escaping @Sendable () -> Void) {
        queue = DispatchQueue(label: "obscura.\(name)")
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler(handler: job)
        timer.resume()
    }

    /// Ends the repetition. Waits for a run that has begun, so that it writes nothing after what the caller writes next.
    func finish() {
        timer.cancel()
        queue.sync {}
    }
}
