// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The address at which this host serves a stream by RTSP: `rtsp://name:password@:8554/live`.
///
/// Without a host it listens on all IPv4 addresses; with a host and `?mode=listener`, only on that address.
struct RTSPServerAddress: Sendable, Hashable {
    /// The address to listen on; empty for all.
    let host: String
    /// The port, from 1 to 65535.
    let port: Int
    /// The path, with a leading slash.
    let path: String
    /// User name that viewers need; nil for unrestricted access.
    let user: String?
    /// Password that viewers need; nil for unrestricted access.
    let password: String?

    static let defaultPath = "/live"

    /// Whether the address requests a server on this host.
    static func isMeant(by address: NetworkAddress) -> Bool {
        address.place.hasPrefix(":")
            || address.items?.contains { $0.name.lowercased() == "mode" && $0.value.lowercased() == "listener" } == true
    }

    init(_ address: NetworkAddress) throws(ObscuraError) {
        let place = "rtsp://\(address.place)"
        guard let own = address.hostAndPort, let port = own.port else {
            throw .invalidAddress(
                place, "the port is missing, or is not a number from 1 to 65535", "Write rtsp://:8554/live.")
        }
        guard let items = address.items else { throw .invalidAddress(place, "the options after ? are malformed") }
        for (item, value) in items {
            guard item.lowercased() == "mode", value.lowercased() == "listener" else {
                throw .invalidAddress(place, "it has an unknown option", "The only option is mode=listener.")
            }
        }
        let path = address.path.count > 1 ? address.path : Self.defaultPath
        guard path.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "/-_.".contains($0)) }),
            !path.hasSuffix("/")
        else {
            throw .invalidAddress(
                place, "the path \(path) is invalid", "Use letters, digits, - and _, such as /live or /cameras/front.")
        }
        (host, self.port, self.path) = (own.host, port, path)
        guard let user = address.user else {
            (user, password) = (nil, nil)
            return
        }
        guard let user = PercentCoding.decoded(user), let password = address.password.flatMap(PercentCoding.decoded),
            !user.isEmpty, !password.isEmpty, !user.contains("\"")
        else {
            throw .invalidAddress(
                place, "the user name or the password is missing or invalid",
                "Write rtsp://name:password@:8554/live, with %40 for @ and %3A for : in the name and the password.")
        }
        (self.user, self.password) = (user, password)
        guard isLoopback || NetworkPassword.isLongEnough(password) else {
            throw .invalidAddress(
                place,
                "the password has fewer than \(NetworkPassword.minimumLength) characters and could be guessed",
                "Choose a longer password, or listen on 127.0.0.1.")
        }
    }

    /// Whether only this host can reach it.
    var isLoopback: Bool { host.lowercased() == "localhost" || IPAddress(host)?.isLoopback == true }

    /// The URL for a player on this host, without credentials.
    var localAddress: String {
        let host =
            switch host {
            case "", "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: host
            }
        return "rtsp://\(HostAndPort(host: host, port: port))\(path)"
    }

    /// The name for display, without the password.
    var name: String {
        let user = user.map { "\($0):***@" } ?? ""
        return "rtsp://\(user)\(HostAndPort(host: host, port: port))\(path)\(host.isEmpty ? "" : "?mode=listener")"
    }
}
