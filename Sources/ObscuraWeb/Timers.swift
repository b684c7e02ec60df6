// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import NIOCore
internal import NIOPosix

/// Timers on a thread of the server. Their closures must not block.
package enum Timers {
    /// Runs `body` once, after the delay.
    ///
    /// - Returns: the timer, which can be cancelled.
    package static func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> Scheduled<Void> {
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(delay), body)
    }

    /// Repeats `body`, for the first time after one interval.
    package static func every(_ interval: Duration, _ body: @escaping @Sendable () -> Void) -> RepeatedTask {
        MultiThreadedEventLoopGroup.singleton.any().scheduleRepeatedTask(
            initialDelay: TimeAmount(interval), delay: TimeAmount(interval)
        ) { _ in body() }
    }
}
