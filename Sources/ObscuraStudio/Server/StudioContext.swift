// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Hummingbird
internal import NIOCore

/// What goes with a request through the routes.
struct StudioContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection on which it came.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Who asks; see ``Peer``.
    var peer: Peer { Peer(channel.remoteAddress) }

    /// The part `{name}` of the path, decoded, once: the router hands it out as it stood in the path.
    ///
    /// ``RequestTarget`` has seen to it that it holds no slash and no control character. It may still be no name that
    /// a folder should be asked for, or none of a thing that there is.
    func parameter(_ name: String) throws -> String {
        guard let raw = parameters.get(name), let text = raw.removingPercentEncoding, !text.isEmpty else {
            throw RequestFailure.noSuchAddress
        }
        return text
    }
}
