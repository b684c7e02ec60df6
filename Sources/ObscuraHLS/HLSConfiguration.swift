// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Where and for whom HLS is served.
public struct HLSConfiguration: Sendable {
    /// What a viewer must know.
    public struct Credentials: Sendable, CustomStringConvertible, CustomReflectable {
        /// The name; without a colon.
        public var user: String
        /// The password; at least 8 characters where other machines can reach the address. It shows in no description.
        public var password: String

        /// A name and its password.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }

        /// The name alone.
        public var description: String { user }
        /// Nothing, so that no dump shows the password.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// Where it listens: `127.0.0.1:8080`, `[::1]:8080`, `:8080` for all IPv4 addresses of this machine, `[::]:8080`
    /// for those of IPv6 as well. The port 0 takes a free one.
    public var address: String
    /// What a viewer must know; nil lets everybody watch who reaches the address.
    public var credentials: Credentials?
    /// Other names under which it is reached, such as `kiosk.local`. Without a password, a browser that names it
    /// otherwise, and not by an address in digits, is sent away: a page of a foreign site could else give it a name of
    /// its own.
    public var hostNames: [String] = []
    /// Whether pages of all sites may play it, under any name: for a broadcast that is meant for everybody.
    public var allowsOtherSites = false

    /// HLS at this address.
    public init(address: String = "127.0.0.1:8080", credentials: Credentials? = nil) {
        self.address = address
        self.credentials = credentials
    }
}
