// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HummingbirdCore
package import NIOCore
package import NIOHTTPTypes

/// A connection that was taken in.
package struct WebConnection: ServerChildChannelValue {
    package enum Kind: Sendable {
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        /// It lives on its event loop alone.
        case socket
    }

    package let channel: any Channel
    /// Known after the first request.
    package let kind: EventLoopFuture<Kind>
}
