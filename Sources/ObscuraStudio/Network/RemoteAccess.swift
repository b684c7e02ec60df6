// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The networks from which photos and movies are downloaded.
public enum RemoteAccess: String, Sendable, Hashable, Codable {
    /// The internet. A page then cannot read from this machine or from the local network, also not by a redirect or by
    /// a host name that resolves to an internal address.
    case publicOnly
    /// Every network, including the local one and this machine.
    case everywhere
}
