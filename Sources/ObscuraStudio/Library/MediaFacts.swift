// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

extension MediaReading {
    /// The metadata of the file, as lines to display.
    var facts: [MediaItem.Fact] {
        var facts = MediaFacts()
        switch self {
        case .still(let info): facts.add(info)
        case .movie(let movie): facts.add(movie)
        }
        return facts.list
    }
}

/// Builds lines of metadata for display, in reading order; unknown values are omitted.
private struct MediaFacts {
    /// Maximum length of a line, since the file determines its text.
    private static let longest = 300
    private static let mostOfOwnKeys = 16

    private(set) var list: [MediaItem.Fact] = []

    mutating func add(_ info: StillInfo) {
        add("Kind", info.kind == .jpeg ? "JPEG" : "PNG")
        add("Stored size", Self.size(info.size))
        if let exposure = info.metadata.exposure { add(exposure) }
        add(info.metadata)
    }

    mutating func add(_ movie: MovieContents) {
        add("Kind", movie.containerName.split(separator: ",").contains("mp4") ? "MP4 or QuickTime" : "Matroska or WebM")
        add("Duration", movie.duration.map { Self.seconds($0.seconds) })
        for stream in movie.streams.prefix(8) {
            switch stream.kind {
            case .video: add("Video", Self.picture(stream))
            case .audio: add("Sound", Self.sound(stream))
            case .subtitle, .data, .unknown: break
            }
        }
        add("Bit rate", movie.bitRate.map { "\($0 / 1000) kbit/s" })
        add(movie.metadata)
        add("Written by", movie.encoder)
    }

    private mutating func add(_ exposure: Metadata.Exposure) {
        add("Exposure", exposure.duration.flatMap(Self.exposureTime))
        add("Sensitivity", exposure.iso.map { "ISO \($0)" })
        add("Aperture", exposure.aperture.map { "f/\(Self.number($0))" })
        add("Focal length", exposure.focalLength.map { "\(Self.number($0)) mm" })
        add("Exposure bias", exposure.bias.map { "\($0 > 0 ? "+" : "")\(Self.number($0)) EV" })
        add("Flash", exposure.flashFired.map { $0 ? "fired" : "did not fire" })
    }

    private mutating func add(_ metadata: Metadata) {
        add("Taken", metadata.date?.iso8601.replacing("T", with: " ", maxReplacements: 1))
        add("Camera", metadata.camera)
        add("Title", metadata.title)
        add("Description", metadata.description)
        add("Author", metadata.author)
        add("Copyright", metadata.copyright)
        add("Keywords", metadata.keywordText)
        add("Language", metadata.language)
        add("Program", metadata.software)
        add(
            "Place",
            metadata.location.map { place in
                "\(place.latitude), \(place.longitude)" + (place.altitude.map { ", \(Self.number($0)) m" } ?? "")
            })
        for (key, value) in metadata.translatedTexts.sorted(by: { $0.key < $1.key }) { add(key, value) }
        for (key, value) in metadata.custom.sorted(by: { $0.key < $1.key }).prefix(Self.mostOfOwnKeys) {
            add(key, value)
        }
    }

    private mutating func add(_ label: String, _ value: String?) {
        guard let value = value.map(Self.clean), !value.isEmpty else { return }
        list.append(MediaItem.Fact(label: Self.clean(label), value: value))
    }

    /// Returns the text as one line of bounded length, without control characters.
    private static func clean(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(longest + 1).map { scalar in
            scalar.properties.generalCategory == .control ? " " : String(scalar)
        }
        let line = scalars.prefix(longest).joined() + (scalars.count > longest ? "…" : "")
        return line.split(separator: " ").joined(separator: " ")
    }

    /// Returns text such as `H264 (High), 1280 × 720, 29.97 frames per second`.
    private static func picture(_ stream: MovieContents.Stream) -> String {
        var words = [stream.codecName.uppercased() + (stream.profile.map { " (\($0))" } ?? "")]
        if let size = stream.size { words.append(Self.size(size)) }
        if let rate = stream.frameRate {
            words.append("\(number(Double(rate.frames) / Double(rate.seconds))) frames per second")
        }
        return words.joined(separator: ", ")
    }

    private static func sound(_ stream: MovieContents.Stream) -> String {
        var words = [stream.codecName.uppercased()]
        if let rate = stream.sampleRate { words.append("\(number(Double(rate) / 1000)) kHz") }
        if let count = stream.channelCount { words.append(count == 1 ? "1 channel" : "\(count) channels") }
        return words.joined(separator: ", ")
    }

    private static func size(_ size: PixelSize) -> String { "\(size.width) × \(size.height)" }

    private static func exposureTime(_ seconds: Double) -> String? {
        guard seconds.isFinite, seconds > 0 else { return nil }
        return seconds < 0.3 ? "1/\(number((1 / seconds).rounded())) s" : "\(number(seconds)) s"
    }

    /// Returns text such as `5.2 s`, or `1:05` from one minute on.
    private static func seconds(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 60, seconds < 1e9 else { return "\(number(seconds)) s" }
        return ClockText.text(seconds: Int(seconds.rounded()))
    }

    /// Formats with at most two decimal places.
    private static func number(_ value: Double) -> String {
        let text = String((value * 100).rounded() / 100)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
