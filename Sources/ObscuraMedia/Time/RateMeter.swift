// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// How many a second there are of what is counted, over the last second or two. Thread-safe.
package final class RateMeter: Sendable {
    private let samples = Lock<[(time: HostTime, count: UInt64)]>([])

    package init() {}

    /// - Parameter count: of all of them, up to `time`.
    @discardableResult
    package func rate(at time: HostTime = .now, count: UInt64) -> Double {
        samples.withLock { samples in
            // A count that is smaller is that of another run.
            if let last = samples.last, last.count > count { samples.removeAll() }
            if samples.last.map({ time - $0.time >= .milliseconds(100) }) ?? true { samples.append((time, count)) }
            // The oldest is at least a second old, if there is such a one.
            while samples.count > 2, time - samples[1].time >= .seconds(1) { samples.removeFirst() }
            guard let first = samples.first, time > first.time else { return 0 }
            return Double(count - first.count) / ((time - first.time) / .seconds(1))
        }
    }
}
