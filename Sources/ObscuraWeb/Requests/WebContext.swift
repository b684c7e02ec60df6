// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
package import Hummingbird
package import NIOCore

/// What goes with a request through the routes.
package struct WebContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The connection on which it came.
    package let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Who asks; see ``Peer``.
    package var peer: Peer { Peer(channel.remoteAddress) }
}
