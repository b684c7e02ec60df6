// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// A metadata item in the form `key=value`.
struct MetadataItemArgument {
    let key: String
    let value: String

    /// - Throws: `ValidationError`.
    init(argument: String) throws {
        guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else {
            throw ValidationError("\(argument) is not a metadata item. Write a key and a value, such as project=Atlas.")
        }
        key = String(argument[..<sign])
        // Each has a form of its own, which movies and photos store in several places.
        switch key.lowercased() {
        case "location", "language": throw ValidationError("Use --\(key.lowercased()) instead of --metadata \(key).")
        case "date", "creation_time": throw ValidationError("\(key) is the time of the first frame, and cannot be set.")
        default: break
        }
        if let (_, language) = Metadata.translation(of: key) { _ = try LanguageArgument(argument: language) }
        value = String(argument[sign...].dropFirst())
    }

    /// Sets the item: a text property of the same name, also in another language, or else a custom one.
    func set(in metadata: inout Metadata) {
        switch key.lowercased() {
        case "title": metadata.title = value
        case "description": metadata.description = value
        case "author": metadata.author = value
        case "copyright": metadata.copyright = value
        case "keywords": metadata.keywordText = value
        case "make": metadata.make = value
        case "model": metadata.model = value
        case "software": metadata.software = value
        default:
            if let (name, language) = Metadata.translation(of: key) {
                metadata.setTranslation(name, language, value)
            } else {
                metadata.custom[key] = value
            }
        }
    }
}
