// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia
internal import ObscuraMovies

/// A writer that adds each frame to a movie, at the presentation time of the frame.
///
/// Frames may have any size and format: each frame is fitted to the size of the first frame. Audio is not written. The
/// movie gets its final name when it is complete. Until then, the movie has a temporary name in the same folder.
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
    /// Serializes the calls, so that the first one starts the movie.
    private let turn = Lock(())

    /// Checks the settings, and creates the movie file under a temporary name.
    ///
    /// - Throws: ``ObscuraError``: `fileExists`, `diskFull`, `notWritable`, or `invalidSettings`.
    public init(
        path: String, video: VideoSettings = VideoSettings(), overwrites: Bool = false
    ) throws(ObscuraError) {
        var options = AssetWriter.Options()
        options.overwrites = overwrites
        // The frames may be those of an old film.
        options.dateSource = .none
        depth = options.queueDepth
        writer = try AssetWriter(path: path, video: video, options: options)
    }

    /// Maximum number of frames that the writer holds at once.
    public var capacity: Int { depth + 1 }

    /// Counts of the frames appended so far, with the current size of the file.
    public var counts: WrittenFrames {
        var counts = state.withLock { $0.counts }
        counts.bytes = Int64(writer.progress.byteCount)
        return counts
    }

    /// Appends a frame, and returns whether the frame was accepted. Blocks the thread while the queue of the encoder is
    /// full, at most until the deadline. If the deadline is nil, the wait has no limit.
    ///
    /// - Throws: ``ObscuraError``: the error that ended the movie, or `closed` after ``close()``.
    public func append(_ frame: VideoFrame, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        do throws(ObscuraError) {
            return try turn.withLock { _ throws(ObscuraError) in try take(frame, until: deadline) }
        } catch {
            // Another thread has finished the movie in the meantime.
            if error.code == .invalidState, state.withLock({ $0.isClosed }) { throw .closed(writer.path) }
            throw error
        }
    }

    /// Rejects further frames, and unblocks callers of ``append(_:until:)``.
    public func close() { state.withLock { $0.isClosed = true } }

    /// Closes the writer, and blocks until the complete movie has its final name.
    ///
    /// - Throws: ``ObscuraError``: the error that ended the movie, `invalidState` for a movie without frames, or
    ///   `timedOut`.
    public func finish(until deadline: HostTime? = nil) throws(ObscuraError) {
        close()
        if try writer.finish(until: deadline) == nil {
            throw ObscuraError(.files, .timedOut, subject: writer.path, reason: "the movie was not completed in time")
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
            // The interval at which a blocked call checks whether the writer has been closed.
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
