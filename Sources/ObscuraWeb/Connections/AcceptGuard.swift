// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Logging
package import NIOCore

/// Stands in the pipeline of the listening socket, and lets the server live when a connection cannot be accepted:
/// when the process or the system is out of descriptors or memory, say. Without it one such moment would end the
/// server, whose loop takes any error of this pipeline for the end.
package final class AcceptGuard: ChannelDuplexHandler {
    package typealias InboundIn = any Channel
    package typealias OutboundIn = Never

    /// How long it accepts nothing then: the connection is still there, and asking for it again at once would keep a
    /// core busy and fill the log.
    package static let pause = TimeAmount.milliseconds(250)

    private let logger: Logger
    private var isPausing = false
    private var isReadWaiting = false

    package init(logger: Logger) {
        self.logger = logger
    }

    package func read(context: ChannelHandlerContext) {
        if isPausing { isReadWaiting = true } else { context.read() }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The socket closes by itself where nothing can be saved; then its loop ends for that reason.
        guard !isPausing else { return }
        logger.warning("A connection could not be accepted", metadata: ["error": "\(error)"])
        isPausing = true
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isPausing = false
            guard self.isReadWaiting else { return }
            self.isReadWaiting = false
            context.read()
        }
    }
}
