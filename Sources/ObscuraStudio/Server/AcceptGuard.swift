// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import NIOCore

/// Stands in the pipeline of the listening socket, and lets the server live when a connection cannot be accepted:
/// when the process or the system is out of descriptors or memory, say. Without it one such moment would end the
/// server, whose loop takes any error of this pipeline for the end.
final class AcceptGuard: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias OutboundIn = Never

    /// How long it accepts nothing then: the connection is still there, and asking for it again at once would keep a
    /// core busy and fill the log.
    static let pause = TimeAmount.milliseconds(250)

    private let logger: Logger
    private var isPausing = false
    private var isReadWaiting = false

    init(logger: Logger) {
        self.logger = logger
    }

    func read(context: ChannelHandlerContext) {
        if isPausing { isReadWaiting = true } else { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
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
