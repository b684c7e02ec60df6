// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import HTTPTypes
package import NIOCore
package import NIOHTTP1

/// A handler directly above the HTTP decoder: responds to invalid HTTP, reports requests and responses to the time
/// limits, and closes the connection after its last response.
package final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    private let connection: ConnectionGuard
    private let upgrade: WebSocketUpgrade?
    /// Whether the current request is the last one of this connection.
    private var isLast = false
    /// Whether further input is discarded.
    private var isDeaf = false
    /// Whether the client uses HTTP/1.0, which has no chunked encoding.
    private var speaksOldHTTP = false

    /// - Parameter upgrade: nil if the server offers no WebSocket.
    package init(_ connection: ConnectionGuard, upgrade: WebSocketUpgrade?) {
        self.connection = connection
        self.upgrade = upgrade
    }

    // MARK: Inbound

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch part {
        case .head(let head):
            if isLast { isDeaf = true }
            // The response to an earlier request is in progress; an error response would be taken for a part of it.
            if connection.times.isAnswering, !isValid(head) { (isLast, isDeaf) = (true, true) }
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
        guard isValid(head) else { return refuse(.badRequest, context) }
        if head.headers.contains(name: "upgrade") {
            // After such a request the decoder reads no further ones, whether or not the upgrade is granted.
            isLast = true
            // NIO's handler loses the head of a request whose upgrade it rejects (2.101), so it receives only granted
            // ones.
            if upgrade?.grants(head, on: context.channel) != true { head.headers.remove(name: "upgrade") }
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Whether the target of a request is a path, and a request for an upgrade has no body.
    private func isValid(_ head: HTTPRequestHead) -> Bool {
        // Checked here, where the target is unchanged; later handlers would extract the path from "http://…".
        guard head.uri.utf8.first == UInt8(ascii: "/") else { return false }
        guard upgrade?.isAsked(by: head) == true else { return true }
        return !head.headers.contains(name: "transfer-encoding")
            && head.headers["content-length"].allSatisfy { $0 == "0" }
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
            // Otherwise a truncated body would look complete.
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

    // MARK: Outbound

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
            // When the promise succeeds, the kernel has accepted everything; closing earlier would discard the rest.
            let promise = promise ?? context.eventLoop.makePromise()
            promise.futureResult.assumeIsolated().whenComplete { _ in
                self.connection.times.answerEnded(at: .now())
                self.closeIfDone(context)
            }
            context.write(data, promise: promise)
        }
    }

    /// Sends an error response without the router, and discards further input.
    private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        isLast = true
        isDeaf = true
        connection.times.requestEnded(at: .now())
        let error = APIError(code: "invalidRequest", message: "The request is not valid HTTP.")
        let body = (try? JSONEncoder.api.encode(error)).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
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
        // Closing while data is arriving resets the connection, and the client may lose the response. The rest is read
        // for a limited time; see `ConnectionTimes`.
        guard !connection.times.isReadingBody else { return }
        context.close(promise: nil)
    }
}
