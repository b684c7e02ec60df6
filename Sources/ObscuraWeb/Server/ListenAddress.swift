// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraMedia

/// Where the server listens, before it does.
package struct ListenAddress: Sendable {
    /// What is bound: an address in digits, or a name to be looked up.
    package let host: String
    /// Whether only this machine can reach it.
    package let isLoopback: Bool
    /// Whether it stands for all addresses of this machine.
    private let isWildcard: Bool

    /// - Parameter text: an address, with or without brackets, or a name.
    package init(_ text: String) throws(ObscuraError) {
        var text = text
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        // A resolver may say something else of it; to us it is this machine.
        if text.lowercased() == "localhost" { text = "127.0.0.1" }
        let isIPv6 = text.count { $0 == ":" } > 1
        guard let authority = Authority(isIPv6 ? "[\(text)]" : text), authority.port == nil else {
            throw ObscuraError(
                .server, .cannotListen, subject: Self.named(text),
                reason: "it is neither an address nor the name of a machine",
                advice: "Give an address of this machine, such as 127.0.0.1, ::1 or 0.0.0.0; the port goes by itself.")
        }
        host = authority.host
        isLoopback = IPAddress(host)?.isLoopback ?? false
        isWildcard = ["0.0.0.0", "::"].contains(host)
    }

    /// Takes `host:port` apart. Nothing before the colon stands for all IPv4 addresses of this machine.
    package static func withPort(_ text: String) throws(ObscuraError) -> (address: ListenAddress, port: Int) {
        guard let place = HostAndPort(text, ports: 0...65_535), let port = place.port else {
            throw ObscuraError(
                .server, .cannotListen, subject: named(text),
                reason: "it is no address of a machine with a port",
                advice: "Write :8080 for all addresses of this machine, or one of them: 127.0.0.1:8080, [::1]:8080.")
        }
        return (try ListenAddress(place.host.isEmpty ? "0.0.0.0" : place.host), port)
    }

    /// For an error. A password may stand before an @.
    private static func named(_ text: String) -> String {
        text.isEmpty || text.contains("@") ? "listen address" : text
    }

    /// Refuses names that no browser could write.
    package static func require(hostNames: [String]) throws(ObscuraError) {
        for name in hostNames {
            if let authority = Authority(name), authority.port == nil { continue }
            throw ObscuraError(
                .server, .cannotListen, subject: name.isEmpty ? "host name" : name,
                reason: "it is not the name of a machine",
                advice: "Give the name alone, such as kiosk.local, without 'http://' and without a port.")
        }
    }

    /// Refuses to listen where strangers could look on.
    ///
    /// - Parameter isProtected: whether there is TLS, or permission to go without.
    package func require(isProtected: Bool) throws(ObscuraError) {
        guard !isLoopback, !isProtected else { return }
        throw ObscuraError(
            .server, .unprotectedAddress, subject: host,
            reason:
                "it can be reached from the network, where everybody on the way would see the pictures and the token",
            remedy: .protectServer)
    }

    /// What to open in a browser, without a path.
    package func address(port: Int, isSecure: Bool, hostNames: [String]) -> String {
        var name = hostNames.first ?? host
        if hostNames.isEmpty, isWildcard { name = host == "::" ? "::1" : "127.0.0.1" }
        return "\(isSecure ? "https" : "http")://\(HostAndPort(host: name, port: port))"
    }
}
