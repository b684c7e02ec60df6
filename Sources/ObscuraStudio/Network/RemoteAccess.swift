// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The networks from which photos and movies are downloaded.
public enum RemoteAccess: String, Sendable, Hashable, Codable {
    /// Only the internet. Addresses of this machine and of the local network are rejected, also if a redirect or a host
    /// name leads to them.
    case publicOnly
    /// All networks, including the local network and this machine.
    case everywhere
}
