// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Under which names a browser may ask for us: what `Host` may say.
///
/// A page of a foreign site can let its own name point to 127.0.0.1 (DNS rebinding); its browser then takes our
/// answers for that site's own and hands them over. But it still writes the foreign name into `Host`, and here it ends.
package struct ServedNames: Sendable {
    /// "http" or "https".
    package let scheme: String
    package let port: Int
    private let names: Set<String>
    private let takesAnyLiteral: Bool

    /// - Parameters:
    ///   - address: where we listen: a name, or an address without brackets.
    ///   - port: where we listen.
    ///   - hostNames: other names that the owner gave us.
    package init(address: String, isLoopback: Bool, port: Int, isSecure: Bool, hostNames: [String]) {
        scheme = isSecure ? "https" : "http"
        self.port = port
        // Browsers take `localhost` for this machine without asking anybody.
        var names: Set = ["localhost", "127.0.0.1", "::1"]
        if !isLoopback { names.insert(address.lowercased()) }
        names.formUnion(hostNames.map { $0.lowercased() })
        self.names = names
        // An address in digits is not looked up, so nobody can point it elsewhere: who writes one into `Host` has
        // loaded his page from that address, which is ours. In a network we may have many, and they may change.
        takesAnyLiteral = !isLoopback
    }

    /// Whether we are meant.
    package func contain(_ authority: Authority) -> Bool {
        (authority.port ?? (scheme == "https" ? 443 : 80)) == port && know(authority)
    }

    /// Whether the host is one of ours, whatever the port.
    package func know(_ authority: Authority) -> Bool {
        names.contains(authority.host) || (takesAnyLiteral && authority.isLiteral)
    }

    /// Whether `origin` is the one of a page that `host` served: the same scheme, name and port.
    ///
    /// Any of our names would not do: where any address in digits is taken for ours, a page that another machine
    /// serves on our port would be.
    package func isOrigin(_ origin: String, of host: Authority) -> Bool {
        let prefix = "\(scheme)://"
        guard origin.hasPrefix(prefix), let authority = Authority(origin.dropFirst(prefix.count)) else { return false }
        let standard = scheme == "https" ? 443 : 80
        return authority.host == host.host && (authority.port ?? standard) == (host.port ?? standard)
    }
}
