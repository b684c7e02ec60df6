// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// A track of a movie that is written. One thread at a time.
enum WriterTrack {
    case video(any VideoPacketTrack)
    case audio(any AudioPacketTrack)
    case timed(TimedTrack)

    /// - Throws: ``ObscuraError/Code/encoderUnavailable`` for audio.
    init(_ track: MovieTrack, subject: String, container: MovieContainer) throws(ObscuraError) {
        switch track.content {
        case .video(let settings): self = .video(VideoTrack(settings, subject: subject))
        case .copiedVideo: self = .video(CopiedVideoTrack(subject: subject, container: container))
        case .audio(let settings): self = .audio(try AudioTrack(settings, subject: subject))
        case .copiedAudio(let parameters): self = .audio(CopiedAudioTrack(parameters, subject: subject))
        case .subtitles: self = .timed(TimedTrack(container.isFragmented ? .timedText : .subRip, subject: subject))
        case .chapters: self = .timed(TimedTrack(.chapters, subject: subject))
        case .location: self = .timed(TimedTrack(.location, subject: subject))
        }
    }

    var video: (any VideoPacketTrack)? {
        if case .video(let track) = self { track } else { nil }
    }

    var audio: (any AudioPacketTrack)? {
        if case .audio(let track) = self { track } else { nil }
    }

    var timed: TimedTrack? {
        if case .timed(let track) = self { track } else { nil }
    }

    /// The end of the track in the movie.
    var end: MediaTime {
        switch self {
        case .video(let track): track.end
        case .audio(let track): track.hasSound ? track.end : .zero
        case .timed(let track): track.end
        }
    }

    /// Creates the stream; nil for video before its first frame, and for chapters that are written at the end only.
    func makeStream(_ description: MovieTrack, _ container: MovieContainer) throws(ObscuraError) -> TrackStream? {
        var made: TrackStream?
        switch self {
        case .video(let track): made = try track.makeStream()
        case .audio(let track): made = TrackStream(try track.makeStream())
        case .timed(let track): made = TrackStream(try track.makeStream())
        }
        made?.stream.language = description.language
        made?.stream.title = description.title
        made?.stream.isDefault = description.isDefault
        if case .chapters = description.content {
            guard container.isFragmented else { return nil }
            made?.stream.title = TimedForm.chaptersName
        }
        return made
    }
}
