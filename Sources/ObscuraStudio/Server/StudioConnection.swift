// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTPTypes

/// A connection that was taken in.
struct StudioConnection: ServerChildChannelValue {
    enum Kind: Sendable {
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        /// It lives on its event loop alone.
        case socket
    }

    let channel: any Channel
    /// Known after the first request.
    let kind: EventLoopFuture<Kind>
}
