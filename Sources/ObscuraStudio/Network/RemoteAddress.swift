// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// A checked address of the web: `http` or `https`, without a user.
struct RemoteAddress: Sendable, Hashable {
    private static let longest = 4096

    /// The host name or the numeric address, in lower case.
    let host: String
    let port: Int
    /// The address as it is requested. It is composed of the parts that were checked, so that no other parser can read a
    /// different host from it.
    let text: String
    private let base: String
    private let path: String

    /// - Throws: ``ObscuraError/Code/invalidLocation``.
    init(_ text: String) throws(ObscuraError) {
        func invalid(_ reason: String) -> ObscuraError {
            ObscuraError(
                .studio, .invalidLocation, subject: AddressMask.masked(address: String(text.prefix(200))),
                reason: reason,
                advice: "Use an address that begins with https:// or http://.")
        }
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw invalid("it is too long, or contains characters that are not allowed in addresses")
        }
        guard let address = NetworkAddress(text), ["http", "https"].contains(address.scheme) else {
            throw invalid("it is not a web address")
        }
        guard address.user == nil else { throw invalid("addresses with a user name are not accepted") }
        guard let place = address.hostAndPort, Self.isHost(place.host) else { throw invalid("its host is malformed") }
        host = place.host.lowercased()
        port = place.port ?? (address.scheme == "https" ? 443 : 80)
        base = "\(address.scheme)://\(HostAndPort(host: host, port: port))"
        path = address.path.isEmpty ? "/" : address.path
        self.text = base + path + (address.query.map { "?\($0)" } ?? "")
    }

    private static func isHost(_ host: String) -> Bool {
        if host.contains(":") { return IPAddress(host) != nil }
        return !host.isEmpty && host.utf8.count <= 253
            && host.utf8.allSatisfy { byte in
                let letter = byte | 0x20
                return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
            }
    }

    /// The address in messages, without secrets.
    var shown: String { AddressMask.masked(address: text) }

    /// The last part of the path, as the name of a file.
    var name: String {
        guard let last = path.split(separator: "/").last else { return host }
        return PercentCoding.decoded(last) ?? String(last)
    }

    /// Returns the address to which a redirect leads.
    func following(_ location: String) throws(ObscuraError) -> RemoteAddress {
        if NetworkAddress(location) != nil { return try RemoteAddress(location) }
        if location.hasPrefix("//") { return try RemoteAddress(base.prefix { $0 != "/" } + location) }
        if location.hasPrefix("/") { return try RemoteAddress(base + location) }
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        return try RemoteAddress(base + folder + location)
    }
}
