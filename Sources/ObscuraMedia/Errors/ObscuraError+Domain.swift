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

        /// The domain of errors of value types, such as pixel buffers and locations, and of buffer pools.
        public static let media = Domain("media")
        /// The domain of errors of writing frame and photo files.
        public static let files = Domain("files")
    }
}
