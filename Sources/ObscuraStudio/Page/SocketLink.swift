// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import NIOCore
internal import NIOWebSocket
internal import ObscuraWeb

/// The connection to a page over its WebSocket.
struct SocketLink: PageLink {
    private let socket: NIOLoopBound<PageSocket>
    private let eventLoop: any EventLoop

    /// Creates the link. Must be called on the socket's event loop.
    init(_ socket: PageSocket) {
        eventLoop = socket.eventLoop
        self.socket = NIOLoopBound(socket, eventLoop: socket.eventLoop)
    }

    func send(_ text: String) {
        onLoop { $0.send(text: text) }
    }

    func send(header: ByteBuffer, _ bytes: ByteBuffer) {
        onLoop { $0.send(binary: bytes, header: header) }
    }

    func closeAsNonsense() {
        onLoop { $0.close(.policyViolation) }
    }

    /// Dispatches also from the loop itself: otherwise a message could overtake those that other threads have
    /// dispatched.
    private func onLoop(_ body: @escaping @Sendable (PageSocket) -> Void) {
        eventLoop.execute { [socket] in body(socket.value) }
    }
}

extension PageHub {
    /// Creates a page for a WebSocket connection. Must be called on its event loop.
    func attach(to channel: any Channel, _ limits: RequestLimits) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let socket = PageSocket(eventLoop: channel.eventLoop, limits: limits)
            let page = open(SocketLink(socket))
            socket.onText = { page.receive($0) }
            socket.onClose = { [weak self] in self?.close(page) }
            do {
                try channel.pipeline.syncOperations.addHandler(socket)
            } catch {
                // The socket is closed already, and does not report it again.
                close(page)
                throw error
            }
        }
    }
}
