// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
package import ObscuraMedia

/// A reader of the frames and the audio of a movie, from a file or a URL. One thread at a time; only ``control`` may be
/// used from other threads.
///
/// Frames use the decoder's own memory where Obscura supports its format. Incomplete frames are never returned: they
/// are counted in `sequence` and `gap` of the next frame, and after the last frame ``nextFrame()`` throws the cause.
/// The same applies to audio, whose `position` and `gap` count sample frames.
package final class MovieReader {
    /// The properties of the video; nil if there is none.
    package let info: MovieInfo?
    /// The properties of the audio; nil if there is none that can be decoded.
    package let sound: MovieSoundInfo?
    /// Whether the source is a live stream, which has no end and is not seekable.
    package let isLive: Bool
    /// The origin of the host times of the elements.
    package let timing: ElementTiming
    package let control: ReadControl
    package internal(set) var progress = ReadingProgress()

    // Used by the extensions for video, audio and seeking.
    let options: MovieReadingOptions
    /// Whether frames have the times of their arrival, as those of Motion JPEG over HTTP.
    let isTimedByArrival: Bool
    /// The arrival of the first of these frames.
    var firstArrival: HostTime?
    let source: PacketSource
    let importer: FrameImporter
    let frameDuration: MediaTime?

    /// The start of the video in this pass; nil for the beginning.
    var start: MediaTime?
    /// The start of the audio in this pass.
    var soundStart: MediaTime?
    /// The start time of the whole movie, known after a pass from the beginning.
    var firstTime: MediaTime?
    /// The start time of the whole movie's audio, known after a pass from the beginning.
    var firstSoundTime: MediaTime?
    /// Whether the first audio after seeking back has not been checked yet.
    var isSoundUnproved = false
    /// The end of the last frame of this pass, on the movie's own timeline.
    var passEnd: MediaTime?
    var times = LoopTimes()
    var hasDeliveredInPass = false
    private var isAtStart: Bool
    var seek = SeekState.none
    var pendingGap: UInt64 = 0
    var sequence: UInt64 = 0
    var position: UInt64 = 0
    /// Whether unrequested audio was skipped before the next buffer.
    var hasSkippedSound = false
    /// The state of what is returned compressed.
    var encoded = EncodedState()
    /// The decoded frame to return next.
    var nextPicture: (frame: Frame, time: MediaTime)?
    var nextSound: AudioBuffer?
    private var isFinished = false

    /// Opens the movie. Blocks.
    ///
    /// - Parameters:
    ///   - location: a path, or a URL with one of the supported protocols.
    ///   - needsPictures: whether a movie without video is rejected with ``ObscuraError/Code/noVideo``.
    ///   - resumingAt: start of the video in the first pass, if different from the options' start, which later loops
    /// use.
    ///   - soundAt: start of the audio in the first pass.
    ///   - control: cancels the reader's blocking calls from another thread.
    package init(
        _ location: String, options: MovieReadingOptions = MovieReadingOptions(), needsPictures: Bool = true,
        resumingAt: MediaTime? = nil, soundAt: MediaTime? = nil, control: ReadControl = ReadControl()
    ) throws(ObscuraError) {
        self.options = options
        self.control = control
        let place = try MovieLocation(location)
        source = try PacketSource(place, options: options, needsPictures: needsPictures, control: control)
        info = source.info
        sound = source.soundInfo
        isLive = source.isLive
        timing = source.timing
        isTimedByArrival = source.isWithoutTimes
        frameDuration = info?.format.frameRate?.frameDuration
        importer = FrameImporter(
            subject: place.description, maximumSize: options.maximumSize,
            isJPEG: source.pictures?.stream.isJPEG ?? false)
        start = resumingAt ?? options.start
        soundStart = soundAt ?? start
        isAtStart = start == nil && soundStart == nil
    }

    /// How often the times of each track of a live stream began again.
    var restarts: StreamClock.Restarts { source.clock?.restarts ?? StreamClock.Restarts() }

    /// Whether it has video.
    var hasPictures: Bool { source.pictures != nil }
    /// Whether it has audio that can be decoded.
    var hasSound: Bool { source.sound != nil }
    /// Whether it reads from a URL.
    package var isNetwork: Bool { source.isNetwork }
    /// Whether it is a live stream whose packets are kept until they are read. While a track is on trial, pauses would look
    /// like a backlog.
    var mayBeReadInBatches: Bool { source.mayBeReadInBatches && source.clock?.isOnTrial(at: .now) == false }
    /// The time spent waiting for packets.
    var waited: Duration { source.waited }

    /// Whether an element of a live stream is older than the live position, so that it is dropped.
    func isBacklog(_ kind: TrackKind, at time: MediaTime) -> Bool {
        source.clock?.isBacklog(kind, at: time) ?? false
    }

    /// Returns the time of capture; nil if the stream does not tell it.
    func captureTime(_ kind: TrackKind, at time: MediaTime) -> HostTime? {
        source.clock?.hostTime(kind, at: time)
    }

    /// Returns the next frame and skips audio; nil after the last frame.
    ///
    /// - Throws: as ``next(takingSound:)``.
    package func nextFrame() throws(ObscuraError) -> VideoFrame? {
        while let element = try next(takingSound: false) {
            if case .picture(let frame) = element { return frame }
        }
        return nil
    }

    /// Returns the next frame or audio buffer, whichever is earlier; nil after the last one.
    ///
    /// - Parameters:
    ///   - takingSound: whether to read audio. If false, the demuxer skips it; the value may change between
    /// calls.
    ///   - wish: which packets are returned compressed, beside or instead of being decoded; may change as well.
    /// - Throws: ``ObscuraError``, once: `truncated` or `damaged` after the last complete frame of an incomplete movie;
    /// other codes when reading cannot continue. Later calls return nil.
    package func next(takingSound: Bool) throws(ObscuraError) -> Element? {
        try next(takingSound: takingSound, EncodedWish())
    }

    func next(takingSound: Bool, _ wish: EncodedWish) throws(ObscuraError) -> Element? {
        guard !isFinished else { return nil }
        do throws(ObscuraError) {
            change(to: wish)
            takeSound(takingSound || wish.sound != .none)
            if !isAtStart {
                isAtStart = true
                try goToStart(attempt: 0)
            }
            while true {
                if let element = try takeEncoded() { return element }
                let picturesEnded = try fetchPicture()
                // Live elements are returned as they arrive.
                let soundEnded = isLive && nextPicture != nil ? false : try fetchSound()
                if let picture = nextPicture, nextSound.map({ picture.time <= $0.presentationTime }) ?? true {
                    nextPicture = nil
                    return .picture(try deliver(picture.frame, at: picture.time))
                }
                if let sound = nextSound {
                    nextSound = nil
                    return .sound(deliver(sound))
                }
                guard picturesEnded, soundEnded, source.isExhausted, encoded.undated.isEmpty else { continue }
                if try !beginNextLoop() {
                    isFinished = true
                    if let failure = source.failure(progress) { throw failure }
                    return nil
                }
            }
        } catch {
            isFinished = true
            throw error
        }
    }
}
