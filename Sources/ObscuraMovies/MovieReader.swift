// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// Reads a movie from a file or an address, frame by frame. One thread at a time; only ``control`` may be
/// used from others.
///
/// A frame is the decoder's own memory wherever its format is one of ours. Frames that are not whole are
/// never delivered: they are counted, the next frame's `sequence` and `gap` show them, and after the last
/// frame ``nextFrame()`` throws what was wrong.
package final class MovieReader {
    /// What has become of the frames so far.
    package struct Progress: Sendable, Hashable {
        /// Frames that were handed out.
        package var delivered = 0
        /// Frames that were broken and not handed out.
        package var lost = 0
        /// The end of the last frame that was handed out; nil before the first.
        package var end: MediaTime?
        /// The time of that frame on the movie's own timeline, which loops do not move.
        package var position: MediaTime?
    }

    package let info: MovieInfo
    package let control: ReadControl
    package private(set) var progress = Progress()

    private let options: MovieReadingOptions
    private var source: PacketSource
    private let importer: FrameImporter
    private let frameDuration: MediaTime?

    /// The first frame that is wanted in this pass; nil for the beginning.
    private var start: MediaTime?
    /// Where the whole movie begins, once a pass from the beginning has shown it.
    private var firstTime: MediaTime?
    /// The end of the last frame of this pass, on the movie's own timeline.
    private var passEnd: MediaTime?
    /// What is added to the times of this pass, so that loops follow one another.
    private var passOffset = MediaTime.zero
    /// The end of the loop before, until the first frame of this one has come.
    private var loopJoint: MediaTime?
    private var hasDeliveredInPass = false
    private var seek = SeekState.none
    private var pendingGap: UInt64 = 0
    private var sequence: UInt64 = 0
    private var isFinished = false

    /// How often a seek is tried, each time further back, before the movie is read from its beginning.
    private static let seekAttempts = 6

    /// What the first frame after a seek must show.
    private enum SeekState {
        case none
        /// Not later than the wanted start; else the next attempt goes further back.
        case start(attempt: Int)
        /// Exactly the time with which the first pass began.
        case loop(first: MediaTime)
    }

    /// Opens the movie, and finds its first place where decoding can begin. Blocks.
    ///
    /// - Parameters:
    ///   - location: a path, or an address with one of the protocols that are served.
    ///   - resumingAt: where the first pass begins, if not at the options' start; loops go back to that one.
    ///   - control: what ends the reader's waits from another thread.
    package init(
        _ location: String, options: MovieReadingOptions = MovieReadingOptions(), resumingAt: MediaTime? = nil,
        control: ReadControl = ReadControl()
    ) throws(MovieError) {
        self.options = options
        self.control = control
        let source = try PacketSource(try MovieLocation(location), options: options, control: control)
        self.source = source
        info = source.info
        frameDuration = info.format.frameRate?.frameDuration
        importer = FrameImporter(
            subject: info.location, maximumSize: options.maximumSize, isJPEG: source.stream.isJPEG)
        start = resumingAt ?? options.start
        if let start { try goToStart(start, attempt: 0) }
    }

    /// Whether it reads from an address.
    package var isNetwork: Bool { source.isNetwork }

    /// The next frame; nil after the last one.
    ///
    /// - Throws: ``MovieError``, once: `truncated` or `damaged` after the last whole frame of a movie that
    ///   was not whole; others when reading cannot go on. Afterwards there are no more frames.
    package func nextFrame() throws(MovieError) -> VideoFrame? {
        guard !isFinished else { return nil }
        do throws(MovieError) {
            while true {
                if let frame = try source.nextFrame() {
                    if let delivered = try accept(frame) { return delivered }
                } else if case .start(let attempt) = seek, attempt < Self.seekAttempts, let start {
                    // Too near the end: not a single picture could be decoded from there.
                    try goToStart(start, attempt: attempt + 1)
                } else if try !beginNextLoop() {
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

    /// The frame as it goes out; nil when it lies before the start, or a seek must be done again.
    private func accept(_ frame: Frame) throws(MovieError) -> VideoFrame? {
        let stream = source.stream
        let own = frame.timestamp.map(stream.time) ?? passEnd ?? .zero
        switch seek {
        case .none: break
        case .start(let attempt):
            seek = .none
            if let start, own > start, attempt < Self.seekAttempts {
                try goToStart(start, attempt: attempt + 1)
                return nil
            }
        case .loop(let first):
            seek = .none
            if own != first {
                try source.reopen()
                passEnd = nil
                return nil
            }
        }
        let duration = frame.duration.map(stream.time) ?? frameDuration
        passEnd = own + (duration ?? .zero)
        let lost = source.takeLostCount(counts: hasDeliveredInPass || start == nil)
        pendingGap += UInt64(lost)
        progress.lost += lost
        if let start, own < start {
            pendingGap = 0
            return nil
        }
        if start == nil, !hasDeliveredInPass { firstTime = own }
        var attachments = VideoFrame.Attachments()
        let transform = source.displayTransform ?? DisplayTransform(frame)
        attachments.uprightTurn = transform.turn
        attachments.isMirrored = transform.isMirrored
        attachments.isDiscontinuity = loopJoint != nil
        if let joint = loopJoint { passOffset = joint - own }
        attachments.gap = pendingGap
        let video = VideoFrame(
            buffer: try importer.buffer(frame), presentationTime: own + passOffset, hostTime: .now,
            duration: duration, sequence: sequence + pendingGap, attachments: attachments)
        sequence += pendingGap + 1
        pendingGap = 0
        loopJoint = nil
        hasDeliveredInPass = true
        progress.delivered += 1
        progress.position = own
        progress.end = own + (duration ?? .zero) + passOffset
        return video
    }

    /// Goes to a place from which the frame at `start` can be decoded; each attempt further back.
    private func goToStart(_ start: MediaTime, attempt: Int) throws(MovieError) {
        seek = .start(attempt: attempt)
        passEnd = nil
        if let first = info.startTime, start <= first {
            if attempt > 0 { try source.reopen() }
            return
        }
        let target = attempt == 0 ? start : start - MediaTime(value: 1 << (attempt - 1), timescale: 1)
        // What cannot be sought is decoded from its beginning, up to the start.
        if attempt < Self.seekAttempts, source.seek(to: target) { return }
        if attempt > 0 { try source.reopen() }
    }

    /// Goes back for the next loop. Returns false when there is none to be had.
    private func beginNextLoop() throws(MovieError) -> Bool {
        let lost = source.takeLostCount(counts: hasDeliveredInPass || start == nil)
        progress.lost += lost
        guard options.isLooping, source.canLoop, hasDeliveredInPass, let end = passEnd else { return false }
        pendingGap += UInt64(lost)
        loopJoint = end + passOffset
        passEnd = nil
        hasDeliveredInPass = false
        start = options.start
        if let start {
            try goToStart(start, attempt: 0)
        } else if let first = firstTime, source.seek(to: info.startTime.map { min($0, first) } ?? first) {
            seek = .loop(first: first)
        } else {
            try source.reopen()
        }
        return true
    }
}
