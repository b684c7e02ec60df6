// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

@_exported public import Foundation

/// A type of data, which has an identifier such as `public.jpeg`, and conforms to more general types.
///
/// Only types of media and texts, and general types, are declared. Programs cannot declare types: `exportedAs` and
/// `importedAs` do not exist, and the initializers return nil for an unknown tag, not a dynamic type.
public struct UTType: Sendable, Hashable {
    /// The identifier, such as `public.jpeg`.
    public let identifier: String
    let declaration: TypeDeclaration

    /// Creates a declared type from its identifier, ignoring case.
    ///
    /// - Returns: nil for an unknown identifier.
    public init?(_ identifier: String) {
        guard let declaration = TypeDeclaration.byIdentifier[identifier.lowercased()] else { return nil }
        self.init(declaration)
    }

    /// Creates the first declared type with a file name extension.
    ///
    /// - Parameters:
    ///   - filenameExtension: the extension without the dot, ignoring case.
    ///   - supertype: a type to which the result conforms.
    /// - Returns: nil if there is none.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
    }

    /// Creates the first declared type with a MIME type.
    ///
    /// - Parameters:
    ///   - mimeType: the MIME type without parameters, ignoring case.
    ///   - supertype: a type to which the result conforms.
    /// - Returns: nil if there is none.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
    }

    /// Creates the first declared type with a tag.
    ///
    /// - Parameter supertype: a type to which the result conforms; nil for any.
    /// - Returns: nil if there is none.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        guard let first = Self.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first else { return nil }
        self = first
    }

    init(_ declaration: TypeDeclaration) {
        identifier = declaration.identifier
        self.declaration = declaration
    }

    /// The types with a tag, the usual one first.
    ///
    /// - Parameter supertype: a type to which the results conform; nil for any.
    public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        (TypeDeclaration.byTag[tagClass]?[tag.lowercased()] ?? []).map(UTType.init)
            .filter { type in supertype.map(type.conforms) ?? true }
    }

    // MARK: Tags

    /// The file name extension for new files; nil for a type without extensions.
    public var preferredFilenameExtension: String? { tags[.filenameExtension]?.first }
    /// The usual MIME type; nil for a type without one.
    public var preferredMIMEType: String? { tags[.mimeType]?.first }
    /// The file name extensions and MIME types, the usual ones first. Tags of supertypes and subtypes are not included.
    public var tags: [UTTagClass: [String]] { declaration.tags }

    // MARK: Conformance

    /// Whether the identifier begins with `public.`.
    public var isPublic: Bool { identifier.hasPrefix("public.") }

    /// All types to which the type conforms, except for the type itself.
    public var supertypes: Set<UTType> {
        var found: Set<UTType> = []
        var pending = [declaration]
        while let next = pending.popLast() {
            for supertype in next.supertypes.compactMap({ TypeDeclaration.byIdentifier[$0] })
            where found.insert(UTType(supertype)).inserted {
                pending.append(supertype)
            }
        }
        return found
    }

    /// Whether the type is `type` or one of its subtypes.
    public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }
    /// Whether the type conforms to `type`, and the two types differ.
    public func isSubtype(of type: UTType) -> Bool { supertypes.contains(type) }
    /// Whether `type` conforms to the type, and the two types differ.
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

    /// Whether both have the same identifier.
    public static func == (one: UTType, other: UTType) -> Bool { one.identifier == other.identifier }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
    }
}

extension UTType: CustomStringConvertible {
    /// The identifier.
    public var description: String { identifier }
}

extension UTType: Codable {
    /// Decodes a type from its identifier.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let identifier = try container.decode(String.self)
        guard let type = UTType(identifier) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown type \(identifier)")
        }
        self = type
    }

    /// Encodes the identifier as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}
