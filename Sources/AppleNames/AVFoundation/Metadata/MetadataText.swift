// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraMovies

/// The text of a key or a value of metadata.
struct MetadataText {
    let text: String

    /// Creates the text of a string, a number, a date or an array of strings; nil for other values.
    init?(_ value: Any) {
        switch value {
        case let value as AVMetadataKey: text = value.rawValue
        case let value as String: text = value
        case let value as NSString: text = value as String
        case let value as NSNumber: text = value.stringValue
        case let value as NSDate:
            let nanoseconds = (value.timeIntervalSince1970 * 1e9).rounded()
            guard let time = Int64(exactly: nanoseconds) else { return nil }
            text = WallTime(nanosecondsSince1970: time).iso8601
        case let value as NSArray:
            text = value.compactMap { MetadataText($0)?.text }.joined(separator: ", ")
        default: return nil
        }
    }
}

extension WallTime {
    /// Parses a date in ISO 8601 as the engine does; nil for other text.
    init?(metadata text: String) {
        let tags = MovieTags(container: [MetadataProperty.date.tag: text])
        guard let date = tags.metadata.date else { return nil }
        self = date
    }
}
