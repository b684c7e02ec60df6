// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import HTTPTypes
package import NIOCore
package import NIOHTTP1

/// Stands right behind the HTTP decoder: answers what is no HTTP, keeps the connection's account of requests and
/// answers, and closes where nothing more can follow.
package final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    private let connection: ConnectionGuard
    private let upgrade: WebSocketUpgrade?
    /// The request that is here is the last one of this connection.
    private var isLast = false
    /// What comes is thrown away.
    private var isDeaf = false
    /// HTTP/1.0 knows no chunks.
    private var speaksOldHTTP = false

    /// - Parameter upgrade: nil where nobody gets a WebSocket.
    package init(_ connection: ConnectionGuard, upgrade: WebSocketUpgrade?) {
        self.connection = connection
        self.upgrade = upgrade
    }

    // MARK: What comes

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch part {
        case .head(let head):
            if isLast { isDeaf = true }
            guard !isDeaf else { return }
            connection.times.headEnded(at: .now())
            take(head, context)
        case .body(let bytes):
            connection.times.bodyCame(bytes: bytes.readableBytes, at: .now())
            if !isDeaf { context.fireChannelRead(data) }
        case .end:
            guard !isDeaf else { return }
            connection.times.requestEnded(at: .now())
            context.fireChannelRead(data)
            closeIfDone(context)
        }
    }

    private func take(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var head = head
        if head.version != .http1_1 {
            speaksOldHTTP = true
            isLast = true
        }
        if !head.isKeepAlive { isLast = true }
        // Only here is the target as it came; what is behind would take the path out of "http://…".
        guard head.uri.utf8.first == UInt8(ascii: "/") else { return refuse(.badRequest, context) }
        if head.headers.contains(name: "upgrade") {
            // The decoder reads no further behind such a request, whether it is granted or not.
            isLast = true
            let isAsked = upgrade?.isAsked(by: head) == true
            if isAsked {
                let hasBody =
                    head.headers.contains(name: "transfer-encoding")
                    || head.headers["content-length"].contains { $0 != "0" }
                if hasBody { return refuse(.badRequest, context) }
            }
            // NIO's handler loses the head of a request that it refuses (2.101): it sees only those that are granted.
            if !isAsked || upgrade?.grants(head, on: context.channel) != true { head.headers.remove(name: "upgrade") }
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else {
            // The socket or TLS failed.
            context.fireErrorCaught(error)
            context.close(promise: nil)
            return
        }
        if isDeaf { return }
        isLast = true
        if connection.times.isAnswering {
            isDeaf = true
            // Else a body that was cut off would look like one that is whole.
            if connection.times.isReadingBody {
                connection.times.requestEnded(at: .now())
                context.fireErrorCaught(RequestCutOff())
            }
        } else if connection.times.isReadingBody {
            context.close(promise: nil)
        } else {
            connection.times.headEnded(at: .now())
            refuse(error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest, context)
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            isLast = true
            closeIfDone(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: What goes

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if speaksOldHTTP { head.version = .http1_0 }
            if head.headers[canonicalForm: "connection"].contains("close") { isLast = true }
            if isLast, head.status.code >= 200 { head.headers.replaceOrAdd(name: "connection", value: "close") }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body:
            context.write(data, promise: promise)
        case .end:
            // When the promise is kept, all is with the kernel; who closes before throws the rest away.
            let promise = promise ?? context.eventLoop.makePromise()
            promise.futureResult.assumeIsolated().whenComplete { _ in
                self.connection.times.answerEnded(at: .now())
                self.closeIfDone(context)
            }
            context.write(data, promise: promise)
        }
    }

    /// Answers by itself, and takes nothing more.
    private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        isLast = true
        isDeaf = true
        connection.times.requestEnded(at: .now())
        let error = APIError(code: "invalidRequest", message: "That is not HTTP as this server speaks it.")
        let body = (try? JSONEncoder().encode(error)).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
        var head = HTTPResponseHead(version: .http1_1, status: status)
        for field in SecurityFields.all { head.headers.add(name: field.name.rawName, value: field.value) }
        head.headers.add(name: "content-type", value: "application/json; charset=utf-8")
        head.headers.add(name: "content-length", value: String(body.readableBytes))
        write(context: context, data: wrapOutboundOut(.head(head)), promise: nil)
        write(context: context, data: wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        write(context: context, data: wrapOutboundOut(.end(nil)), promise: nil)
        context.flush()
    }

    private func closeIfDone(_ context: ChannelHandlerContext) {
        guard isLast, !connection.times.isAnswering else { return }
        // Who closes while more comes resets the connection, and the answer may be lost on its way. What still comes
        // is read, for a while; see `ConnectionTimes`.
        guard !connection.times.isReadingBody else { return }
        context.close(promise: nil)
    }
}
