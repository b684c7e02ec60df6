// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// A movie as a camera and a microphone: a file, or a URL such as `rtsp://…` or `http://…`. A file without video is
/// only a microphone.
///
/// Frames and audio are delivered in presentation order. Audio is decoded only if an output reads it.
///
/// A file is played in real time by the session's clock, or as fast as its readers process it; see
/// ``MovieReadingOptions/pace``. If the connection to a URL is lost, the readers receive an interruption and the URL is
/// opened again. A live stream then continues at its current position; a movie continues at the position of the
/// interruption.
///
/// The frames of a live URL are delivered as they arrive. Their host times are the times of capture, calculated from
/// the timestamps of the stream. Frames older than the live position, which some servers send first, are dropped. Over
/// HTTP, where servers send frames in bursts, and for Motion JPEG, which has no timestamps, the host times are the
/// times of arrival.
public struct MovieDriver: CaptureDriver {
    /// The path, or the URL with passwords masked.
    public let uniqueID: String
    /// The file name, or the URL with passwords masked.
    public let localizedName: String
    /// The format of a file's video, as the only element; empty for a file without video. Also empty for a URL or a
    /// pipe, because the format is unknown until a session reads the URL or the pipe.
    public let formats: [VideoFormat]
    /// The media types of a file. For a URL or a pipe, the value is always video and audio, because the contents are
    /// unknown until a session reads the URL or the pipe.
    public let mediaTypes: Set<MediaType>
    /// The format of a file's audio, as the only element; empty for a file without audio, and for a URL or a pipe.
    public let audioFormats: [AudioFormat]
    /// Whether slow readers lose frames. If false, slow readers delay the frames instead.
    public let isLive: Bool
    /// The properties of a file's video; nil for a URL, for a pipe, and for a file without video.
    public let info: MovieInfo?
    /// The properties of a file's audio; nil for a URL, for a pipe, and for a file without audio.
    public let sound: MovieSoundInfo?
    private let address: String
    private let options: MovieReadingOptions

    /// Creates a driver for a path or URL. Opens a file to read its properties, and closes it; does not access a URL or
    /// a pipe.
    ///
    /// - Throws: ``ObscuraError``: `notFound`, `notAuthorized`, `unsupportedProtocol`, `unsupportedContainer`,
    /// `unsupportedCodec`, `noVideo` for a file with neither video nor audio, `tooLarge`, `unreadable`, `timedOut`,
    /// `outOfMemory`.
    public init(
        _ location: String, options: MovieReadingOptions = MovieReadingOptions()
    ) throws(ObscuraError) {
        let place = try MovieLocation(location)
        address = location
        self.options = options
        uniqueID = place.description
        localizedName = place.name
        isLive = options.pace == .realTime || place.isAlwaysLive
        // Reading the properties of a pipe would consume its data.
        let reader =
            place.isRegularFile ? try MovieReader(location, options: options, needsPictures: false) : nil
        info = reader?.info
        sound = reader?.sound
        formats = info.map { [$0.format] } ?? []
        audioFormats = sound.map { [$0.format] } ?? []
        var mediaTypes: Set<MediaType> = reader == nil ? [.video, .audio] : []
        if info != nil { mediaTypes.insert(.video) }
        if sound != nil { mediaTypes.insert(.audio) }
        self.mediaTypes = mediaTypes
    }

    /// Creates a converter that uses libswresample.
    public func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? {
        try FFmpegConverters().makeAudioConverter(from: format, to: other)
    }

    /// Creates a run: one playback of the movie, from the beginning or from ``MovieReadingOptions/start``.
    public func makeRun(
        _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        MovieRun(
            address: address, name: localizedName, options: options, startsWhenAvailable: request.startsWhenAvailable,
            sink: sink, clock: clock)
    }
}
