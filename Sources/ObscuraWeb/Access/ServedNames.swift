// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The host names under which browsers may address this server in `Host`.
///
/// A page of another site can make its own name resolve to 127.0.0.1 (DNS rebinding). Its browser then treats responses
/// of this server as those of that site, and lets the page read them. But the browser still sends the other name in
/// `Host`, by which such requests are rejected.
package struct ServedNames: Sendable {
    /// "http" or "https".
    package let scheme: String
    package let port: Int
    private let names: Set<String>
    private let takesAnyLiteral: Bool

    /// - Parameters:
    ///   - address: the listening address: a host name, or an IP address without brackets.
    ///   - port: the listening port.
    ///   - hostNames: additional names from the owner's configuration.
    package init(address: String, isLoopback: Bool, port: Int, isSecure: Bool, hostNames: [String]) {
        scheme = isSecure ? "https" : "http"
        self.port = port
        // Browsers resolve `localhost` to this machine without a DNS request.
        var names: Set = ["localhost", "127.0.0.1", "::1"]
        if !isLoopback { names.insert(address.lowercased()) }
        names.formUnion(hostNames.map { $0.lowercased() })
        self.names = names
        // An IP address is not resolved, so that DNS cannot redirect it: a browser that sends one in `Host` has loaded
        // its page from that address, which belongs to this machine. A machine in a network may have many addresses,
        // and they may change.
        takesAnyLiteral = !isLoopback
    }

    /// Whether the host and the port are those of this server.
    package func contain(_ authority: Authority) -> Bool {
        (authority.port ?? (scheme == "https" ? 443 : 80)) == port && know(authority)
    }

    /// Whether the host is that of this server, regardless of the port.
    package func know(_ authority: Authority) -> Bool {
        names.contains(authority.host) || (takesAnyLiteral && authority.isLiteral)
    }

    /// Whether `origin` is that of a page served by `host`: the same scheme, name and port.
    ///
    /// Comparing with all names of this server would not suffice: where any IP address is accepted, a page that another
    /// machine serves on the same port would match.
    package func isOrigin(_ origin: String, of host: Authority) -> Bool {
        let prefix = "\(scheme)://"
        guard origin.hasPrefix(prefix), let authority = Authority(origin.dropFirst(prefix.count)) else { return false }
        let standard = scheme == "https" ? 443 : 80
        return authority.host == host.host && (authority.port ?? standard) == (host.port ?? standard)
    }
}
