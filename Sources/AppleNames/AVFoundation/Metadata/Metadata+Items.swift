// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura
internal import ObscuraMovies

// The tags of the engine's files are the form in common: the engine writes them, and parses their values.

extension Metadata {
    /// Creates metadata from items. Some items are ignored; see ``AVMetadataItem``.
    package init(_ items: [AVMetadataItem]) {
        let entries = items.compactMap { item -> (tag: MetadataTag, text: String)? in
            guard let tag = MetadataTag(item), let text = item.value.flatMap(MetadataText.init)?.text else {
                return nil
            }
            return (tag, text)
        }
        var tags: [String: String] = [:]
        for (tag, text) in entries where tags[tag.name] == nil { tags[tag.name] = text }
        // Without a text of no language, the first one is shown by players that know no translations.
        for (tag, text) in entries where tags[tag.untranslated] == nil { tags[tag.untranslated] = text }
        self = MovieTags(container: tags).metadata
    }
}

extension AVMetadataItem {
    /// Returns the items of metadata that was read, in the order of their identifiers.
    package static func items(of metadata: Metadata) -> [AVMetadataItem] {
        var tags = MovieTags(metadata, for: .mp4).container
        // A second form of the date.
        tags["creation_time"] = nil
        return tags.sorted { $0.key < $1.key }.map { name, text in
            let tag = MetadataTag(name: name)
            return AVMetadataItem(
                Values(
                    keySpace: .quickTimeMetadata, key: NSString(string: tag.untranslated),
                    value: NSString(string: text), extendedLanguageTag: tag.languageTag))
        }
    }
}

/// The name of a tag: the key of the metadata of QuickTime, and the language of a translation.
private struct MetadataTag {
    let untranslated: String
    /// Three letters of ISO 639-2; nil for none.
    private let language: String?

    var name: String { language.map { "\(untranslated)-\($0)" } ?? untranslated }

    /// The language as a tag of IETF BCP 47.
    var languageTag: String? {
        language.map { Locale.LanguageCode($0).identifier(.alpha2) ?? $0 }
    }

    init(name: String) {
        let property = MetadataProperty.allCases.first { $0.isTranslated && name.hasPrefix($0.tag + "-") }
        if let property, let found = Metadata.translation(of: property.rawValue + name.dropFirst(property.tag.count)) {
            (untranslated, language) = (property.tag, found.language)
        } else {
            (untranslated, language) = (name, nil)
        }
    }

    /// Creates the tag of an item; nil for an item that cannot be written.
    init?(_ item: AVMetadataItem) {
        guard let identifier = item.identifier else { return nil }
        let property = MetadataProperty.of(identifier)
        if let property {
            untranslated = property.tag
        } else if item.keySpace == .quickTimeMetadata, let key = item.key.flatMap(MetadataText.init)?.text, !key.isEmpty
        {
            untranslated = key
        } else {
            return nil
        }
        language = property?.isTranslated == true ? item.extendedLanguageTag.flatMap(Self.code) : nil
    }

    /// Returns the three letters of a language tag; nil for an unspecified language.
    private static func code(_ tag: String) -> String? {
        let code = Locale.Language(identifier: tag).languageCode?.identifier(.alpha3)
        return code == "und" ? nil : code
    }
}
