// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import NIOCore
internal import NIOWebSocket
internal import ObscuraWeb

/// The way to a page over its WebSocket.
struct SocketLink: PageLink {
    private let socket: NIOLoopBound<PageSocket>
    private let eventLoop: any EventLoop

    /// On the socket's event loop.
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

    /// Also from the loop itself: otherwise a message would overtake those of other threads that wait there.
    private func onLoop(_ body: @escaping @Sendable (PageSocket) -> Void) {
        eventLoop.execute { [socket] in body(socket.value) }
    }
}

extension PageHub {
    /// Makes a page of a connection that speaks WebSocket. On its event loop.
    func attach(to channel: any Channel, _ limits: RequestLimits) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let socket = PageSocket(eventLoop: channel.eventLoop, limits: limits)
            let page = open(SocketLink(socket))
            socket.onText = { page.receive($0) }
            socket.onClose = { [weak self] in self?.close(page) }
            do {
                try channel.pipeline.syncOperations.addHandler(socket)
            } catch {
                // It is gone already, and nobody else will say so.
                close(page)
                throw error
            }
        }
    }
}
