// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A movie as text, and as a `--json` object.
struct MovieListing: Codable, Hashable {
    struct Stream: Codable, Hashable {
        let kind: String
        let codec: String
        let profile: String?
        /// In seconds.
        let duration: Double?
        let bitRate: Int64?
        let frameCount: Int64?
        let language: String?
        let title: String?
        /// Whether players select it by default; missing for false.
        let isDefault: Bool?
        let width: Int?
        let height: Int?
        /// A fraction, such as `30000/1001`.
        let frameRate: String?
        let sampleFormat: String?
        /// The color space, such as `bt709 limited`.
        let colors: String?
        /// The clockwise rotation that makes the frames upright, in degrees; missing for 0.
        let rotation: Int?
        let sampleRate: Int?
        let channelCount: Int?
    }

    struct Chapter: Codable, Hashable {
        /// In seconds.
        let start: Double
        /// In seconds.
        let end: Double
        let title: String
    }

    let file: String
    let container: String
    /// In seconds.
    let duration: Double?
    let bitRate: Int64?
    let byteCount: Int64?
    let encoder: String?
    let streams: [Stream]
    /// Missing if there are none.
    let chapters: [Chapter]?
    /// The location of the recording.
    let location: GeographicLocation?
    /// The metadata by name: title, description, author, copyright, make, model, software, date, language
    /// and custom keys.
    let metadata: [String: String]

    init(_ movie: MovieContents) {
        file = movie.location
        container = Self.container(movie)
        duration = movie.duration?.seconds
        bitRate = movie.bitRate
        byteCount = movie.byteCount
        encoder = movie.encoder
        streams = movie.streams.map(Stream.init)
        chapters =
            movie.chapters.isEmpty
            ? nil : movie.chapters.map { Chapter(start: $0.start.seconds, end: $0.end.seconds, title: $0.title) }
        location = movie.metadata.location
        metadata = Self.entries(movie.metadata)
    }

    /// Returns the name that matches the file extension, of FFmpeg's names for a family of containers.
    private static func container(_ movie: MovieContents) -> String {
        let names = movie.containerName.split(separator: ",").map(String.init)
        let ending = movie.location.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let known = ["mkv": "matroska", "mka": "matroska", "m4v": "mp4", "qt": "mov"][ending] ?? ending
        return names.count > 1 && names.contains(known) ? known : names.first ?? movie.containerName
    }

    /// Returns the fields that are set, by name.
    static func entries(_ metadata: Metadata) -> [String: String] {
        var entries = metadata.custom.merging(metadata.translatedTexts) { $1 }
        entries["title"] = metadata.title
        entries["description"] = metadata.description
        entries["author"] = metadata.author
        entries["copyright"] = metadata.copyright
        entries["keywords"] = metadata.keywordText
        entries["make"] = metadata.make
        entries["model"] = metadata.model
        entries["software"] = metadata.software
        entries["date"] = metadata.date?.iso8601
        entries["language"] = metadata.language
        return entries
    }

    static func text(_ place: GeographicLocation) -> String {
        "\(place.latitude), \(place.longitude)" + (place.altitude.map { ", \($0) m" } ?? "")
    }

    /// Names and values in two columns, and a line for each stream.
    var text: String {
        var rows: [(String, String)] = [("file", file), ("container", container)]
        if let duration { rows.append(("duration", Self.seconds(duration))) }
        if let byteCount { rows.append(("size", "\(byteCount) bytes")) }
        if let bitRate { rows.append(("bit rate", "\(bitRate / 1000) kbit/s")) }
        if let encoder { rows.append(("written by", encoder)) }
        for (index, stream) in streams.enumerated() { rows.append(("stream \(index)", stream.text)) }
        for (index, chapter) in (chapters ?? []).enumerated() {
            rows.append(("chapter \(index + 1)", "\(Self.seconds(chapter.start)), \(chapter.title)"))
        }
        if let location { rows.append(("location", Self.text(location))) }
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) { rows.append((name, value)) }
        return ListingTable.text(rows)
    }

    static func seconds(_ time: MediaTime) -> String { seconds(time.seconds) }

    private static func seconds(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000) s" }
}

extension MovieListing.Stream {
    fileprivate init(_ stream: MovieContents.Stream) {
        kind = stream.kind.rawValue
        codec = stream.codecName
        profile = stream.profile
        duration = stream.duration?.seconds
        bitRate = stream.bitRate
        frameCount = stream.frameCount
        language = stream.language
        title = stream.title
        isDefault = stream.isDefault ? true : nil
        width = stream.size?.width
        height = stream.size?.height
        frameRate = stream.frameRate.map { "\($0.frames)/\($0.seconds)" }
        sampleFormat = stream.sampleFormat
        colors = stream.colorSpace.map { "\($0.matrix.rawValue) \($0.range.rawValue)\($0.isAssumed ? " assumed" : "")" }
        rotation = stream.uprightTurn == .up ? nil : stream.uprightTurn.degrees
        sampleRate = stream.sampleRate
        channelCount = stream.channelCount
    }

    /// Returns a fraction with at most two decimals: `30`, `29.97`.
    private static func decimal(_ rate: String) -> String {
        let parts = rate.split(separator: "/").compactMap { Double($0) }
        guard parts.count == 2, parts[1] > 0 else { return rate }
        let rounded = (parts[0] / parts[1] * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    /// The stream in one line, such as `video h264 (High) 1280x720 at 30, yuv420p bt709 limited, 300
    /// frames`.
    fileprivate var text: String {
        var words = "\(kind) \(codec)" + (profile.map { " (\($0))" } ?? "")
        if let width, let height { words += " \(width)x\(height)" }
        if let frameRate { words += " at \(Self.decimal(frameRate))" }
        if let sampleRate { words += " \(sampleRate) Hz" }
        if let channelCount { words += channelCount == 1 ? ", 1 channel" : ", \(channelCount) channels" }
        if let sampleFormat { words += ", \(sampleFormat)" }
        if let colors { words += " \(colors)" }
        if let rotation { words += ", rotated by \(rotation)°" }
        if let frameCount { words += ", \(frameCount) frame\(frameCount == 1 ? "" : "s")" }
        if let bitRate { words += ", \(bitRate / 1000) kbit/s" }
        if let language { words += ", \(language)" }
        if let title { words += ", \(title)" }
        return words
    }
}
