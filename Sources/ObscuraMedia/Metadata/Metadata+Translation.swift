// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension Metadata {
    /// The texts of a photo or a movie in another language.
    public struct Translation: Sendable, Hashable, Codable {
        /// The title.
        public var title: String?
        /// A description of the content.
        public var description: String?
        /// The copyright notice.
        public var copyright: String?

        /// Creates a translation.
        ///
        /// - Parameters:
        ///   - title: the title; nil for none.
        ///   - description: a description of the content; nil for none.
        ///   - copyright: the copyright notice; nil for none.
        public init(title: String? = nil, description: String? = nil, copyright: String? = nil) {
            self.title = title
            self.description = description
            self.copyright = copyright
        }

        /// Returns a copy in which the texts of `other` that are not nil replace those of this translation.
        func merging(_ other: Translation) -> Translation {
            Translation(
                title: other.title ?? title, description: other.description ?? description,
                copyright: other.copyright ?? copyright)
        }
    }

    private static let translated: [String: any WritableKeyPath<Translation, String?> & Sendable] = [
        "title": \.title, "description": \.description, "copyright": \.copyright,
    ]

    /// The texts of ``translations``, by keys such as `title-deu`.
    package var translatedTexts: [String: String] {
        var texts: [String: String] = [:]
        for (language, translation) in translations {
            for (name, path) in Self.translated { texts["\(name)-\(language)"] = translation[keyPath: path] }
        }
        return texts
    }

    /// Returns the name and the language of a key such as `title-deu`, in lower case; nil for a key that is not a text with
    /// a language.
    package static func translation(of key: String) -> (name: String, language: String)? {
        let parts = key.lowercased().split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, translated[parts[0]] != nil, (2...3).contains(parts[1].utf8.count),
            parts[1].utf8.allSatisfy({ (0x61...0x7a).contains($0) })
        else { return nil }
        return (parts[0], parts[1])
    }

    /// Sets a text in another language.
    package mutating func setTranslation(_ name: String, _ language: String, _ text: String) {
        guard let path = Self.translated[name] else { return }
        translations[language, default: Translation()][keyPath: path] = text
    }
}
