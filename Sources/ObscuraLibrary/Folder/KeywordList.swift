// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Keywords in their order, each once without distinction of case, in one line each.
struct KeywordList: Sendable, Hashable {
    private static let longest = 200

    private(set) var keywords: [String] = []

    init(_ keywords: [String]) {
        var known: Set<String> = []
        for keyword in keywords {
            let text = keyword.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let clean = String(
                text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(Self.longest))
            if !clean.isEmpty, known.insert(clean.lowercased()).inserted { self.keywords.append(clean) }
        }
    }
}
