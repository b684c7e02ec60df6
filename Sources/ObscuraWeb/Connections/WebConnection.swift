// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HummingbirdCore
package import NIOCore
package import NIOHTTPTypes

/// An accepted connection.
package struct WebConnection: ServerChildChannelValue {
    package enum Kind: Sendable {
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        /// A WebSocket, which is used only on its event loop.
        case socket
    }

    package let channel: any Channel
    /// The kind of the connection, determined by the first request.
    package let kind: EventLoopFuture<Kind>
}
