// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
package import Hummingbird
package import NIOCore

/// The context of a request, with its connection.
package struct WebContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The connection of the request.
    package let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The client; see ``Peer``.
    package var peer: Peer { Peer(channel.remoteAddress) }
}
