// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraMedia

/// The address to listen on.
package struct ListenAddress: Sendable {
    /// The address to bind: an IP address, or a name to resolve.
    package let host: String
    /// Whether only this machine can connect.
    package let isLoopback: Bool
    /// Whether the address stands for all addresses of this machine.
    private let isWildcard: Bool

    /// - Parameter text: an IP address, with or without brackets, or a name.
    package init(_ text: String) throws(ObscuraError) {
        var text = text
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        // A resolver may return another address; here it always means this machine.
        if text.lowercased() == "localhost" { text = "127.0.0.1" }
        let isIPv6 = text.count { $0 == ":" } > 1
        guard let authority = Authority(isIPv6 ? "[\(text)]" : text), authority.port == nil else {
            throw ObscuraError(
                .server, .cannotListen, subject: Self.named(text),
                reason: "it is neither an IP address nor a host name",
                advice: "Give an address of this machine without a port, such as 127.0.0.1, ::1 or 0.0.0.0.")
        }
        host = authority.host
        isLoopback = IPAddress(host)?.isLoopback ?? false
        isWildcard = ["0.0.0.0", "::"].contains(host)
    }

    /// Parses `host:port`. An empty host stands for all IPv4 addresses of this machine.
    package static func withPort(_ text: String) throws(ObscuraError) -> (address: ListenAddress, port: Int) {
        guard let place = HostAndPort(text, ports: 0...65_535), let port = place.port else {
            throw ObscuraError(
                .server, .cannotListen, subject: named(text),
                reason: "it is not an address followed by a port",
                advice: "Write :8080 for all IPv4 addresses of this machine, or one such as 127.0.0.1:8080 or "
                    + "[::1]:8080.")
        }
        return (try ListenAddress(place.host.isEmpty ? "0.0.0.0" : place.host), port)
    }

    /// Returns the text for an error message, without a password, which might precede an @.
    private static func named(_ text: String) -> String {
        text.isEmpty || text.contains("@") ? "listen address" : text
    }

    /// Rejects names that cannot be host names in a browser.
    package static func require(hostNames: [String]) throws(ObscuraError) {
        for name in hostNames {
            if let authority = Authority(name), authority.port == nil { continue }
            throw ObscuraError(
                .server, .cannotListen, subject: name.isEmpty ? "host name" : name,
                reason: "it is not a host name",
                advice: "Give the name alone, such as kiosk.local, without 'http://' and without a port.")
        }
    }

    /// Rejects a network address without TLS, on which others could read the frames.
    ///
    /// - Parameter isProtected: whether TLS is used, or its absence is explicitly permitted.
    package func require(isProtected: Bool) throws(ObscuraError) {
        guard !isLoopback, !isProtected else { return }
        throw ObscuraError(
            .server, .unprotectedAddress, subject: host,
            reason: "without TLS, others on the network could read the frames and the token",
            remedy: .protectServer)
    }

    /// Returns the URL to open in a browser, without a path.
    package func address(port: Int, isSecure: Bool, hostNames: [String]) -> String {
        var name = hostNames.first ?? host
        if hostNames.isEmpty, isWildcard { name = host == "::" ? "::1" : "127.0.0.1" }
        return "\(isSecure ? "https" : "http")://\(HostAndPort(host: name, port: port))"
    }
}
