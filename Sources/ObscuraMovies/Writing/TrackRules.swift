// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The rules for the samples that the tracks of a movie accept: a pure value.
struct TrackRules: Sendable {
    let subject: String
    let tracks: [MovieTrack]
    let container: MovieContainer

    private static let longestText = Int(UInt16.max)

    // MARK: The tracks

    /// Throws unless a movie can consist of these tracks.
    func check() throws(ObscuraError) {
        guard tracks.contains(where: { $0.content.isVideo || $0.content.isAudio }) else {
            throw .invalidSettings(.recording, subject, "the movie has neither video nor audio")
        }
        let chapters = tracks.filter { if case .chapters = $0.content { true } else { false } }
        guard chapters.count <= 1 else {
            throw .invalidSettings(
                .recording, subject, "the movie has \(chapters.count) tracks of chapters", "Use only one.")
        }
        for (index, track) in tracks.enumerated() {
            try track.check(for: container, subject: subject, index: index)
        }
    }

    /// Returns the only track for a sample.
    ///
    /// - Throws: `invalidState` if there is none, or more than one.
    func track(for sample: MediaSample) throws(ObscuraError) -> Int {
        let found = tracks.indices.filter {
            sample.isVideo ? tracks[$0].content.isVideo : tracks[$0].content.isAudio
        }
        guard let first = found.first else {
            throw invalid("the writer was created without \(sample.mediaType.rawValue) settings")
        }
        guard found.count == 1 else {
            throw invalid(
                "the movie has \(found.count) \(sample.mediaType.rawValue) tracks",
                "Choose one of these tracks with append(_:to:).")
        }
        return first
    }

    // MARK: Samples

    /// Throws unless the sample is one for its track.
    ///
    /// - Parameter end: the end of the track's last text or location.
    func check(_ sample: TrackSample, after end: MediaTime?) throws(ObscuraError) {
        guard tracks.indices.contains(sample.track) else {
            throw invalid("the movie has \(tracks.count) tracks, and none with the index \(sample.track)")
        }
        let track = tracks[sample.track]
        switch (track.content, sample.content) {
        case (.video, .media(let media)) where media.isVideo: try check(media, isCopied: false)
        case (.audio, .media(let media)) where !media.isVideo: try check(media, isCopied: false)
        case (.copiedVideo, .media(let media)) where media.isVideo: try check(media, isCopied: true)
        case (.copiedAudio, .media(let media)) where !media.isVideo: try check(media, isCopied: true)
        case (.subtitles, .text(let text)):
            try check(text)
            guard let duration = text.duration, duration > .zero else { throw invalid("a subtitle needs a duration") }
            try check(text.time, after: end, sample.track)
        case (.chapters, .text(let text)):
            try check(text)
            try check(text.time, after: end, sample.track)
        case (.location, .location(let location)): try check(location.time, after: end, sample.track)
        default: throw invalid("\(track.name(sample.track)) does not take \(sample.content.name)")
        }
    }

    /// The time before which the next text or location of a track cannot begin; nil for frames and audio.
    func end(of sample: TrackSample) -> MediaTime? {
        // Two samples of a track cannot have the same millisecond.
        let step = MediaTime(value: 1, timescale: 1000)
        switch sample.content {
        case .media: return nil
        case .location(let location): return location.time + step
        case .text(let text):
            guard case .subtitles = tracks[sample.track].content, container.isFragmented, let duration = text.duration
            else { return text.time + step }
            return text.time + max(step, duration)
        }
    }

    private func check(_ sample: MediaSample, isCopied: Bool) throws(ObscuraError) {
        guard sample.isEncoded != isCopied else { return }
        let type = sample.mediaType.rawValue
        throw invalid(
            sample.isEncoded
                ? "the writer encodes its \(type), but a compressed sample was appended"
                : "the writer copies compressed \(type), but an uncompressed sample was appended",
            "See AssetWriter.Options.copiesVideo and copiedAudio, and MovieTrack.")
    }

    private func check(_ text: TimedText) throws(ObscuraError) {
        guard !text.text.isEmpty, !text.text.utf8.contains(0) else {
            throw invalid("the text is empty, or contains a zero byte")
        }
        guard text.text.utf8.count <= Self.longestText else {
            throw invalid("the text has \(text.text.utf8.count) bytes; the limit is \(Self.longestText)")
        }
    }

    private func check(_ time: MediaTime, after end: MediaTime?, _ track: Int) throws(ObscuraError) {
        guard let end, time < end else { return }
        throw invalid(
            "the next sample of \(tracks[track].name(track)) must be at \(end.seconds) s or later, not at "
                + "\(time.seconds) s",
            "Append the samples of a track in order. Subtitles that overlap need another track, or an mkv file.")
    }

    private func invalid(_ reason: String, _ advice: String? = nil) -> ObscuraError {
        ObscuraError(.recording, .invalidState, subject: subject, reason: reason, advice: advice)
    }
}

extension TrackSample.Content {
    fileprivate var name: String {
        switch self {
        case .media(let sample): sample.mediaType.rawValue
        case .text: "text"
        case .location: "locations"
        }
    }
}
