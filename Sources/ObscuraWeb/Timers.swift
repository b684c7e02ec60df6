// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import NIOCore
internal import NIOPosix

/// What is to be done later, or again and again. On a thread of the server's; what is done must not block.
package enum Timers {
    /// - Returns: what cancels it.
    package static func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> Scheduled<Void> {
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(delay), body)
    }

    /// The first time after one interval.
    package static func every(_ interval: Duration, _ body: @escaping @Sendable () -> Void) -> RepeatedTask {
        MultiThreadedEventLoopGroup.singleton.any().scheduleRepeatedTask(
            initialDelay: TimeAmount(interval), delay: TimeAmount(interval)
        ) { _ in body() }
    }
}
