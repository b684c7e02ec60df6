// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension ObscuraError {
    /// The part of Obscura that failed. The set of domains is open: drivers and outputs outside of this package can add
    /// domains.
    public struct Domain: Sendable, Hashable, CustomStringConvertible {
        /// The name, such as `capture`.
        public let description: String

        /// Creates a domain for a driver or an output outside of this package.
        public init(_ description: String) {
            self.description = description
        }

        /// Value types: pixel buffers, pools, locations.
        public static let media = Domain("media")
        /// Writing of frame and photo files.
        public static let files = Domain("files")
    }
}
