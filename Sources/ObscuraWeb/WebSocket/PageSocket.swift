// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import NIOCore
package import NIOWebSocket

/// The WebSocket of a page: receives text, sends text and binary messages. Must be used only on its event loop, on
/// which it also calls its closures; see `eventLoop`.
///
/// Its owner must limit what it sends: unsent data is kept in memory, and beyond a limit the connection is closed.
package final class PageSocket: ChannelInboundHandler {
    package typealias InboundIn = WebSocketFrame
    package typealias OutboundOut = WebSocketFrame

    /// Called for each text message.
    package var onText: (String) -> Void = { _ in }
    /// Called once when the connection is closed, by either side.
    package var onClose: () -> Void = {}

    package let eventLoop: any EventLoop
    /// Number of bytes that the kernel has not yet accepted.
    package private(set) var unsentBytes = 0

    private let limits: RequestLimits
    private var assembler: MessageAssembler
    private var context: ChannelHandlerContext?
    private var isClosing = false
    private var lastHeard: NIODeadline
    private var timer: Scheduled<Void>?

    /// "Try again later": the page does not keep up.
    private static let tryAgainLater = WebSocketErrorCode.unknown(1013)

    package init(eventLoop: any EventLoop, limits: RequestLimits = RequestLimits()) {
        self.eventLoop = eventLoop
        self.limits = limits
        lastHeard = eventLoop.now
        assembler = MessageAssembler(mostBytes: limits.socketMessageBytes)
    }

    /// Sends a text message; does nothing after the connection is closed.
    package func send(text: String) {
        send(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)))
    }

    /// Sends a binary message of `header` followed by `binary`, which is not copied before the kernel (or TLS)
    /// receives it. Does nothing after the connection is closed.
    package func send(binary: ByteBuffer, header: ByteBuffer) {
        // The encoder writes both buffers one after the other, so that a receiver sees them as the data of the frame.
        send(WebSocketFrame(fin: true, opcode: .binary, data: binary, extensionData: header))
    }

    /// Starts the closing handshake with a reason, and waits a limited time for the page to complete it.
    package func close(_ code: WebSocketErrorCode = .normalClosure) {
        guard let context, !isClosing else { return }
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        write(WebSocketFrame(fin: true, opcode: .connectionClose, data: data), to: context)
        isClosing = true
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.closingTime)) {
            context.close(promise: nil)
        }
    }

    // MARK: The handler

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        scheduleWatch(context)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        guard self.context != nil else { return }
        self.context = nil
        isClosing = true
        timer?.cancel()
        timer = nil
        let onClose = onClose
        // Breaks the reference cycle with the owner, to which the closures may refer.
        (self.onText, self.onClose) = ({ _ in }, {})
        onClose()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastHeard = eventLoop.now
        let event = assembler.take(unwrapInboundIn(data))
        if isClosing {
            if case .close = event { context.close(promise: nil) }
            return
        }
        switch event {
        case .nothing, .pong: break
        case .text(let text): onText(text)
        case .ping(let data): send(WebSocketFrame(fin: true, opcode: .pong, data: data))
        case .close(let code): answerClosing(code, context)
        case .violation(let code): close(code)
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { close(.goingAway) }
        // A half-closed WebSocket is of no use.
        if event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? NIOWebSocketError {
        case .invalidFrameLength: close(.messageTooLarge)
        case .fragmentedControlFrame, .multiByteControlFrameLength: close(.protocolError)
        case nil: context.close(promise: nil)
        }
    }

    // MARK: Sending

    private func send(_ frame: WebSocketFrame) {
        guard let context, !isClosing else { return }
        write(frame, to: context)
        if unsentBytes > limits.socketUnsentBytes { close(Self.tryAgainLater) }
    }

    private func write(_ frame: WebSocketFrame, to context: ChannelHandlerContext) {
        let count = frame.length
        unsentBytes += count
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { _ in self.unsentBytes -= count }
        context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
    }

    private func answerClosing(_ code: WebSocketErrorCode?, _ context: ChannelHandlerContext) {
        var data = ByteBuffer()
        if let code { data.write(webSocketErrorCode: code) }
        isClosing = true
        timer?.cancel()
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: .connectionClose, data: data)), promise: promise)
    }

    // MARK: Timeouts

    private func scheduleWatch(_ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.pingInterval)) {
            self.watch(context)
        }
    }

    private func watch(_ context: ChannelHandlerContext) {
        guard eventLoop.now - lastHeard < TimeAmount(limits.silenceTime) else {
            context.close(promise: nil)
            return
        }
        send(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()))
        if !isClosing { scheduleWatch(context) }
    }
}
