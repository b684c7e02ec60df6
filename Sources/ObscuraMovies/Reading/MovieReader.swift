// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
package import ObscuraMedia

/// Reads a movie from a file or an address: its pictures one by one, and its sound beside them. One thread at a
/// time; only ``control`` may be used from others.
///
/// A frame is the decoder's own memory wherever its format is one of ours. Frames that are not whole are
/// never delivered: they are counted, the next frame's `sequence` and `gap` show them, and after the last
/// frame ``nextFrame()`` throws what was wrong. So it is with sound, whose `position` and `gap` count sample frames.
package final class MovieReader {
    /// What the movie says of its pictures; nil if it has none.
    package let info: MovieInfo?
    /// What it says of its sound; nil if it has none that can be decoded.
    package let sound: MovieSoundInfo?
    /// Whether it has no end and cannot be sought.
    package let isLive: Bool
    package let control: ReadControl
    package internal(set) var progress = ReadingProgress()

    // Of its own files: the pictures, the sound, and the places that are sought.
    let options: MovieReadingOptions
    let source: PacketSource
    let importer: FrameImporter
    let frameDuration: MediaTime?

    /// The first picture that is wanted in this pass; nil for the beginning.
    var start: MediaTime?
    /// The first sample frame that is wanted in this pass.
    var soundStart: MediaTime?
    /// Where the whole movie begins, once a pass from the beginning has shown it.
    var firstTime: MediaTime?
    /// The same for its sound.
    var firstSoundTime: MediaTime?
    /// Whether the first sound after going back is still to come.
    var isSoundUnproved = false
    /// The end of the last picture of this pass, on the movie's own timeline.
    var passEnd: MediaTime?
    var times = LoopTimes()
    var hasDeliveredInPass = false
    private var isAtStart: Bool
    var seek = SeekState.none
    var pendingGap: UInt64 = 0
    var sequence: UInt64 = 0
    var position: UInt64 = 0
    /// Whether sound that was not wanted lies before the next.
    var hasSkippedSound = false
    /// What was decoded and waits for its turn.
    var nextPicture: (frame: Frame, time: MediaTime)?
    var nextSound: AudioBuffer?
    private var isFinished = false

    /// Opens the movie. Blocks.
    ///
    /// - Parameters:
    ///   - location: a path, or an address with one of the protocols that are served.
    ///   - needsPictures: whether a movie of sound alone is refused with ``ObscuraError/Code/noVideo``.
    ///   - resumingAt: where the pictures of the first pass begin, if not at the options' start; loops go back to
    ///     that one.
    ///   - soundAt: the same for the sound.
    ///   - control: what ends the reader's waits from another thread.
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
        frameDuration = info?.format.frameRate?.frameDuration
        importer = FrameImporter(
            subject: place.description, maximumSize: options.maximumSize,
            isJPEG: source.pictures?.stream.isJPEG ?? false)
        start = resumingAt ?? options.start
        soundStart = soundAt ?? start
        isAtStart = start == nil && soundStart == nil
    }

    /// Whether it reads from an address.
    package var isNetwork: Bool { source.isNetwork }

    /// The next frame, without the sound; nil after the last one.
    ///
    /// - Throws: as ``next(takingSound:)``.
    package func nextFrame() throws(ObscuraError) -> VideoFrame? {
        while let element = try next(takingSound: false) {
            if case .picture(let frame) = element { return frame }
        }
        return nil
    }

    /// The next picture or stretch of sound, whichever is earlier; nil after the last one.
    ///
    /// - Parameter takingSound: whether sound is wanted. Where it is not, the demuxer skips it; it can be wanted
    ///   from any moment on.
    /// - Throws: ``ObscuraError``, once: `truncated` or `damaged` after the last whole frame of a movie that
    ///   was not whole; others when reading cannot go on. Afterwards there are no more.
    package func next(takingSound: Bool) throws(ObscuraError) -> Element? {
        guard !isFinished else { return nil }
        do throws(ObscuraError) {
            takeSound(takingSound)
            if !isAtStart {
                isAtStart = true
                try goToStart(attempt: 0)
            }
            while true {
                let picturesEnded = try fetchPicture()
                // What is live is handed out as it comes.
                let soundEnded = isLive && nextPicture != nil ? false : try fetchSound()
                if let picture = nextPicture, nextSound.map({ picture.time <= $0.presentationTime }) ?? true {
                    nextPicture = nil
                    return .picture(try deliver(picture.frame, at: picture.time))
                }
                if let sound = nextSound {
                    nextSound = nil
                    return .sound(deliver(sound))
                }
                guard picturesEnded, soundEnded else { continue }
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
