// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A named list of items. An item can be in several albums.
public struct Album: Sendable, Hashable, Codable, Identifiable {
    /// The identifier, which does not change if the album is renamed.
    public struct ID: Sendable, Hashable, Codable, CustomStringConvertible {
        /// The identifier as text.
        public let description: String

        /// Creates an identifier from its text.
        public init(_ description: String) {
            self.description = description
        }

        /// Returns an identifier that no other album has.
        package static func unused() -> ID { ID(String(UInt64.random(in: 1 ... .max), radix: 36)) }

        /// Decodes an identifier from a string.
        public init(from decoder: any Decoder) throws {
            description = try decoder.singleValueContainer().decode(String.self)
        }

        /// Encodes the identifier as a string.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(description)
        }
    }

    /// The identifier.
    public let id: ID
    /// The name.
    public internal(set) var name: String
    /// The time of creation.
    public let created: WallTime
}
