// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Logging
package import NIOCore

/// A handler in the pipeline of the listening socket that keeps the server running if a connection cannot be accepted,
/// for example because the process or the system is out of file descriptors or memory. Without it, a single such error
/// would stop the server, whose accept loop ends at any error of this pipeline.
package final class AcceptGuard: ChannelDuplexHandler {
    package typealias InboundIn = any Channel
    package typealias OutboundIn = Never

    /// Time without accepting connections after an error. The connection is still pending, so that an immediate retry
    /// would occupy a CPU core and fill the log.
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
        // After an unrecoverable error the socket closes itself, which ends the accept loop.
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
