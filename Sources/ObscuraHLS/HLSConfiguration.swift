// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The address of an HLS server, and its access control.
public struct HLSConfiguration: Sendable {
    /// The user name and the password that viewers need.
    public struct Credentials: Sendable, CustomStringConvertible, CustomReflectable {
        /// The user name, which must not contain a colon.
        public var user: String
        /// The password; at least 8 characters if other hosts can reach the address. Not included in any description.
        public var password: String

        /// Creates credentials from a user name and a password.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }

        /// The user name only.
        public var description: String { user }
        /// An empty mirror, so that dumps do not contain the password.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// The address to listen on: `127.0.0.1:8080`, `[::1]:8080`, `:8080` for all IPv4 addresses of this host,
    /// `[::]:8080` for all IPv6 addresses as well. Port 0 selects a free port.
    public var address: String
    /// The credentials that viewers need; nil for unrestricted access.
    public var credentials: Credentials?
    /// Additional host names of the server, such as `kiosk.local`. Without credentials, requests with other host names
    /// are rejected, so that pages of other sites cannot read the broadcast by DNS rebinding. Requests with an IP
    /// address are always accepted.
    public var hostNames: [String] = []
    /// Whether web pages of other sites may play the broadcast; use it only for public broadcasts. If true, requests
    /// with any host name are accepted.
    public var allowsOtherSites = false

    /// Creates a configuration for an address.
    public init(address: String = "127.0.0.1:8080", credentials: Credentials? = nil) {
        self.address = address
        self.credentials = credentials
    }
}
