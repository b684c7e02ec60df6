// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension ObscuraError {
    /// The part of Obscura that failed. Open: drivers and outputs outside of this package can have their own.
    public struct Domain: Sendable, Hashable, CustomStringConvertible {
        /// The name, such as `capture`.
        public let description: String

        /// A domain of a driver or an output outside of this package.
        public init(_ description: String) {
            self.description = description
        }

        /// Values: pictures in memory, pools, locations.
        public static let media = Domain("media")
        /// Files of frames and photos that are written.
        public static let files = Domain("files")
    }
}
