// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia
internal import ObscuraMovies

/// Writes each frame into a movie, at the frame's own time.
///
/// Frames may have any size and format: each is fitted to the size of the first. Sound is not written. Under its name
/// the movie is whole: it grows under another one beside it.
///
/// Thread-safe.
public final class MovieFrameWriter: FrameWriter {
    private struct State {
        var hasBegun = false
        var isClosed = false
        var counts = WrittenFrames()
    }

    private let writer: AssetWriter
    private let depth: Int
    private let state = Lock(State())
    /// One call after the other: the first of them begins the movie.
    private let turn = Lock(())

    /// Checks the settings and makes the file under its temporary name.
    ///
    /// - Throws: ``ObscuraError``: `fileExists`, `diskFull`, `notWritable`, `encodingFailed` for settings that cannot be.
    public init(
        path: String, video: VideoSettings = VideoSettings(), overwrites: Bool = false
    ) throws(ObscuraError) {
        var options = AssetWriter.Options()
        options.overwrites = overwrites
        depth = options.queueDepth
        writer = try AssetWriter(path: path, video: video, options: options)
    }

    /// How many frames it may hold at once.
    public var capacity: Int { depth + 1 }

    /// What has been handed over so far, and how long the file is.
    public var counts: WrittenFrames {
        var counts = state.withLock { $0.counts }
        counts.bytes = Int64(writer.progress.byteCount)
        return counts
    }

    /// Takes a frame; blocks the thread while the encoder is behind, until the deadline at most. Returns false if it was
    /// not taken.
    ///
    /// - Throws: ``ObscuraError``: what has ended the movie, or `closed`.
    public func append(_ frame: VideoFrame, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        do throws(ObscuraError) {
            return try turn.withLock { _ throws(ObscuraError) in try take(frame, until: deadline) }
        } catch {
            // Whoever waited while another thread ended it.
            if error.code == .invalidState, state.withLock({ $0.isClosed }) { throw .closed(writer.path) }
            throw error
        }
    }

    /// Takes no more frames, and lets go of callers that wait in ``append(_:until:)``.
    public func close() { state.withLock { $0.isClosed = true } }

    /// Closes, and blocks until the movie is an ordinary file under its name.
    ///
    /// - Throws: ``ObscuraError``: what has ended the movie, `encodingFailed` for one without a frame, `timedOut`.
    public func finish(until deadline: HostTime? = nil) throws(ObscuraError) {
        close()
        if try writer.finish(until: deadline) == nil {
            throw ObscuraError(.files, .timedOut, subject: writer.path, reason: "the disk did not take it in time")
        }
    }

    private func take(_ frame: VideoFrame, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        let (isFirst, isClosed) = state.withLock { state in
            defer { state.hasBegun = state.hasBegun || !state.isClosed }
            return (!state.hasBegun, state.isClosed)
        }
        guard !isClosed else { throw .closed(writer.path) }
        if isFirst { try writer.startSession(at: frame.presentationTime) }
        while true {
            // So often is looked whether somebody has closed it.
            let nextLook = HostTime.now + .milliseconds(100)
            if try writer.append(frame, until: min(deadline ?? nextLook, nextLook)) { break }
            if state.withLock({ $0.isClosed }) { throw .closed(writer.path) }
            if let deadline, deadline <= .now { return false }
        }
        state.withLock { state in
            state.counts.frames += 1
            state.counts.size = frame.buffer.size
            state.counts.pixelFormat = frame.buffer.format
        }
        return true
    }
}
