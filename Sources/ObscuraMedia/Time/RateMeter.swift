// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A meter of the rate of a counter, per second, over the last one to two seconds. Thread-safe.
package final class RateMeter: Sendable {
    private let samples = Lock<[(time: HostTime, count: UInt64)]>([])

    package init() {}

    /// Records the count and returns the rate per second; 0 without an earlier count.
    ///
    /// - Parameter count: the total count up to `time`.
    @discardableResult
    package func rate(at time: HostTime = .now, count: UInt64) -> Double {
        samples.withLock { samples in
            // A smaller count means that the counter was reset.
            if let last = samples.last, last.count > count { samples.removeAll() }
            if samples.last.map({ time - $0.time >= .milliseconds(100) }) ?? true { samples.append((time, count)) }
            // Keeps one sample that is at least a second old, if there is one.
            while samples.count > 2, time - samples[1].time >= .seconds(1) { samples.removeFirst() }
            guard let first = samples.first, time > first.time else { return 0 }
            return Double(count - first.count) / ((time - first.time) / .seconds(1))
        }
    }
}
