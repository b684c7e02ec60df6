// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Delays between attempts: each is a multiple of the previous one, up to a limit.
package struct Backoff: Sendable, Hashable {
    private let first: Duration
    private let factor: Int
    private let limit: Duration

    package init(first: Duration, factor: Int = 2, limit: Duration) {
        (self.first, self.factor, self.limit) = (max(.zero, first), factor, max(.zero, limit))
    }

    /// Returns the delay after `count` earlier delays; 0 returns the first delay.
    package func delay(after count: Int) -> Duration {
        var (delay, count) = (min(first, limit), count)
        while count > 0, delay > .zero, delay < limit {
            (delay, count) = (min(delay * factor, limit), count - 1)
        }
        return delay
    }
}
