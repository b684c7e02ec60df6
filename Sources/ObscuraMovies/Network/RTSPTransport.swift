// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// The transport of RTP between an RTSP server and its client.
package enum RTSPTransport: String, Sendable, Hashable, CaseIterable {
    case tcp, udp

    /// The advice for an unknown transport.
    package static let advice = "Write transport=tcp or transport=udp."

    /// Splits an address into the URL for the server and the text after `transport=` in its query, which is an option
    /// of Obscura; nil without this option.
    package static func split(_ address: String) -> (url: String, option: String?) {
        guard let query = NetworkAddress(address)?.query else { return (address, nil) }
        let items = query.split(separator: "&")
        let others = items.filter { !$0.hasPrefix("transport=") }
        guard let option = items.last(where: { $0.hasPrefix("transport=") }) else { return (address, nil) }
        let rest = others.isEmpty ? "" : "?" + others.joined(separator: "&")
        return (address.prefix { $0 != "?" } + rest, option.dropFirst("transport=".count).lowercased())
    }
}
