// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// A movie as a camera and as a microphone: a file, or an address such as `rtsp://…` or `http://…`. A file of sound
/// alone is a microphone.
///
/// Pictures and sound come in the order of their times. Sound that nobody reads is not decoded.
///
/// A file is played in real time by the session's clock, or given as fast as its readers take it; see
/// ``MovieReadingOptions/pace``. A live address gives frames as they come. When an address breaks off, the
/// readers are told of an interruption, and it is opened again: a live one as it then is, a movie at the
/// place where it was.
public struct MovieDriver: CaptureDriver {
    /// The path or address, passwords masked.
    public let uniqueID: String
    /// The file's name, or the address with passwords masked.
    public let localizedName: String
    /// The one mode of a file; empty for an address, which tells once it runs.
    public let formats: [VideoFormat]
    /// What a file has; both for an address and for a pipe, which tell once they run.
    public let mediaTypes: Set<MediaType>
    /// The one form of a file's sound; empty for a file without, and for an address.
    public let audioFormats: [AudioFormat]
    /// Whether frames come on their own time, and are lost to who is slow.
    public let isLive: Bool
    /// What a file says about itself and its pictures; nil for an address, for a pipe, and for sound alone.
    public let info: MovieInfo?
    /// What a file says about its sound, also if it has no pictures; nil for an address and for a pipe.
    public let sound: MovieSoundInfo?
    private let address: String
    private let options: MovieReadingOptions

    /// The movie at a path or address. Opens a file to see what it is, and closes it; does not touch an
    /// address.
    ///
    /// - Throws: ``ObscuraError``: `noSuchDevice`, `notAuthorized`, `unreadable`.
    public init(
        _ location: String, options: MovieReadingOptions = MovieReadingOptions()
    ) throws(ObscuraError) {
        let place = try MovieLocation(location)
        address = location
        self.options = options
        uniqueID = place.description
        localizedName = place.name
        isLive = options.pace == .realTime || place.isAlwaysLive
        // Looking into a pipe would take from it what the run is to read.
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

    /// A converter by libswresample.
    public func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? {
        try FFmpegConverters().makeAudioConverter(from: format, to: other)
    }

    /// One run of the movie, from its beginning or from where the options say.
    public func makeRun(
        _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        MovieRun(address: address, name: localizedName, options: options, sink: sink, clock: clock)
    }
}
