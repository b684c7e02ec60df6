// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia
internal import ObscuraMovies

/// Where this machine serves a stream by RTSP: `rtsp://name:password@:8554/live`.
///
/// Without a host it listens on all of the machine's IPv4 addresses; with one, and `?mode=listener`, on that alone.
struct RTSPServerAddress: Sendable, Hashable {
    /// The address of its own; empty for all.
    let host: String
    /// From 1 to 65535.
    let port: Int
    /// With its slash.
    let path: String
    /// Who may watch; nil for everybody.
    let user: String?
    /// Nil for everybody.
    let password: String?

    static let defaultPath = "/live"

    /// Whether such an address asks for a server of this machine's.
    static func isMeant(by parts: AddressParts) -> Bool {
        (parts.host.isEmpty && !parts.portText.isEmpty)
            || parts.items?.contains { $0.name.lowercased() == "mode" && $0.value.lowercased() == "listener" } == true
    }

    /// - Parameter parts: what follows `rtsp://`.
    init(_ parts: AddressParts) throws(ObscuraError) {
        let place = "rtsp://\(parts.place)"
        guard Self.isBuiltIn else { throw Self.isMissing(place) }
        guard let port = parts.port else {
            throw .invalidAddress(place, "it has no port from 1 to 65535", "Write rtsp://:8554/live.")
        }
        guard let items = parts.items else { throw .invalidAddress(place, "its options are not well formed") }
        for (item, value) in items {
            guard item.lowercased() == "mode", value.lowercased() == "listener" else {
                throw .invalidAddress(place, "it has an option that there is not", "There is mode=listener.")
            }
        }
        let path = parts.path.count > 1 ? parts.path : Self.defaultPath
        guard path.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "/-_.".contains($0)) }),
            !path.hasSuffix("/")
        else {
            throw .invalidAddress(
                place, "the path \(path) is none", "Use letters, digits, - and _, such as /live or /cameras/front.")
        }
        (host, self.port, self.path) = (parts.host, port, path)
        guard let given = parts.user else {
            (user, password) = (nil, nil)
            return
        }
        let halves = given.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let user = AddressParts.decoded(halves[0]),
            let password = AddressParts.decoded(halves[1]), !user.isEmpty, !password.isEmpty, !user.contains("\"")
        else {
            throw .invalidAddress(
                place, "it names who may watch without a password, or the other way round",
                "Write rtsp://name:password@:8554/live, with %40 for @ and %3A for : in them.")
        }
        (self.user, self.password) = (user, password)
        guard isLoopback || NetworkPassword.isLongEnough(password) else {
            throw .invalidAddress(
                place,
                "the password has fewer than \(NetworkPassword.minimumLength) characters, and others could guess it",
                "Choose a longer one, or listen on 127.0.0.1.")
        }
    }

    /// Whether the package was built with the trait.
    private static var isBuiltIn: Bool {
        #if RTSPServer
        true
        #else
        false
        #endif
    }

    /// Without the trait.
    static func isMissing(_ place: String) -> ObscuraError {
        .invalidAddress(place, "this build of Obscura has no RTSP server", "Build it with the trait RTSPServer.")
    }

    /// Whether no other machine can reach it.
    var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" || host.lowercased() == "localhost" }

    /// For a player on this machine; without who may watch.
    var localAddress: String {
        let host =
            switch host {
            case "", "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: host
            }
        return "rtsp://\(AddressParts.written(host)):\(port)\(path)"
    }

    /// For people, without the password.
    var name: String {
        let user = user.map { "\($0):***@" } ?? ""
        return "rtsp://\(user)\(AddressParts.written(host)):\(port)\(path)\(host.isEmpty ? "" : "?mode=listener")"
    }
}
