// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
package import ObscuraMedia

/// The metadata of a movie, by the tag names of its container and FFmpeg.
///
/// MP4 and QuickTime use QuickTime metadata keys, which support all fields, custom keys and the exact location;
/// Matroska uses its official tag names, as far as they exist.
package struct MovieTags: Sendable, Hashable {
    package var container: [String: String] = [:]
    /// The tags of each stream.
    package var stream: [String: String] = [:]

    package init(container: [String: String] = [:], stream: [String: String] = [:]) {
        self.container = container
        self.stream = stream
    }

    package init(_ metadata: Metadata, for kind: MovieContainer) {
        let isMatroska = kind == .mkv
        func set(_ quickTime: String, _ matroska: String, _ value: String?) {
            guard let value else { return }
            container[isMatroska ? matroska : Self.apple + quickTime] = value
        }
        container = metadata.custom
        set("title", "title", metadata.title)
        set("description", "DESCRIPTION", metadata.description)
        set("author", "ARTIST", metadata.author)
        set("copyright", "COPYRIGHT", metadata.copyright)
        // FFmpeg writes such a suffix as the language of a tag to Matroska; in MP4 and QuickTime files exiftool reads it so.
        for (key, text) in metadata.translatedTexts { set(key, key, text) }
        set("keywords", "KEYWORDS", metadata.keywordText)
        set("make", "MAKE", metadata.make)
        set("model", "MODEL", metadata.model)
        set("software", "SOFTWARE", metadata.software)
        // The writing application in the header, which most tools show.
        if isMatroska, let software = metadata.software { container["encoding_tool"] = software }
        set("location.ISO6709", "LOCATION", metadata.location?.iso6709)
        set("creationdate", "DATE_RECORDED", metadata.date?.iso8601)
        if let date = metadata.date {
            container["creation_time"] =
                WallTime(nanosecondsSince1970: date.nanosecondsSince1970, secondsFromUTC: 0).iso8601
        }
        if let language = metadata.language {
            stream["language"] = language
            // QuickTime streams support only the language codes of early Macintosh systems.
            if kind == .mov { container["language"] = language }
        }
    }

    /// Selects the tags of a rewritten file that are copied to the new one.
    package init(copying tags: MovieTags) {
        container = tags.container.filter { !Self.technical.contains($0.key.lowercased()) }
        // FFmpeg does not read the writing application of Matroska.
        if let tool = tags.container["SOFTWARE"] { container["encoding_tool"] = tool }
        if let language = tags.stream["language"], language != "und" { stream["language"] = language }
    }

    /// The prefix of the keys of QuickTime.
    private static let apple = "com.apple.quicktime."
    /// Tags that containers set themselves.
    private static let technical: Set<String> = [
        "major_brand", "minor_version", "compatible_brands", "encoder", "handler_name", "vendor_id", "duration",
        "encoding_tool",
    ]

    // MARK: Reading back

    /// The metadata in the tags of a file, written by any program.
    package var metadata: Metadata {
        var metadata = Metadata()
        var rest: [String: (key: String, value: String)] = [:]
        for (key, value) in container { rest[key.lowercased()] = (key, value) }
        func take<Value>(_ names: [String], _ parse: (String) -> Value?) -> Value? {
            var found: Value?
            // A text that has no value, such as a year in place of a date, remains as it is.
            for name in names {
                guard let value = rest[name].flatMap({ parse($0.value) }) else { continue }
                rest[name] = nil
                found = found ?? value
            }
            return found
        }
        func take(_ names: String...) -> String? { take(names) { $0 } }
        let apple = Self.apple
        metadata.title = take(apple + "title", "title")
        metadata.description = take(apple + "description", "description", "synopsis")
        metadata.author = take(apple + "author", "author", "artist")
        metadata.copyright = take(apple + "copyright", "copyright")
        metadata.keywordText = take(apple + "keywords", "keywords")
        metadata.make = take(apple + "make", "make")
        metadata.model = take(apple + "model", "model")
        metadata.software = take(apple + "software", "software", "encoding_tool", "writing_tool")
        metadata.location = take(
            [apple + "location.iso6709", "location", "location-eng"], GeographicLocation.init(iso6709:))
        metadata.date = take(
            [apple + "creationdate", "date_recorded", "creation_time", "date"], WallTime.init(iso8601:))
        let language = take("language") ?? stream["language"]
        metadata.language = language == "und" ? nil : language
        for (key, entry) in rest where !Self.technical.contains(key) {
            let name = key.hasPrefix(apple) ? String(key.dropFirst(apple.count)) : key
            if let (name, code) = Metadata.translation(of: name), code.count == 3 {
                metadata.setTranslation(name, LanguageCode.terminologic(code), entry.value)
            } else {
                metadata.custom[entry.key] = entry.value
            }
        }
        return metadata
    }
}
