// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// A writer that accepts frames and writes them in order, on its own threads.
///
/// A writer holds at most ``capacity`` frames. When the writer is full, ``append(_:until:)`` blocks the thread.
/// Meanwhile, the reading of a movie waits, and frames of a live camera are dropped. The first error ends the writer:
/// nothing more is written, and every later call throws the same error.
///
/// Thread-safe; the order of the frames is the order of the calls.
public protocol FrameWriter: Sendable {
    /// Maximum number of frames that the writer holds at once. If you append the frames of a `VideoDataOutput`, its
    /// `leaseLimit` must be at least this number plus two.
    var capacity: Int { get }
    /// Counts of the frames written so far.
    var counts: WrittenFrames { get }
    /// Appends a frame. Blocks the thread while the queue is full, at most until the deadline. If the deadline is nil,
    /// the wait has no limit.
    ///
    /// - Returns: Whether the frame was accepted; false if the queue was full until the deadline.
    func append(_ frame: VideoFrame, until deadline: HostTime?) throws(ObscuraError) -> Bool
    /// Rejects further frames, and unblocks callers of ``append(_:until:)``. Does not block.
    func close()
    /// Closes the writer, and blocks until all accepted frames are written.
    ///
    /// - Parameter deadline: The time at which ``ObscuraError/Code/timedOut`` is thrown if frames are still waiting;
    ///   nil waits without a limit.
    /// - Throws: The first error.
    func finish(until deadline: HostTime?) throws(ObscuraError)
}

extension FrameWriter {
    /// Appends a frame; blocks the thread while the queue is full.
    public func append(_ frame: VideoFrame) throws(ObscuraError) { _ = try append(frame, until: nil) }

    /// Appends a frame unless the queue is full. Does not block. Returns whether the frame was accepted.
    public func tryAppend(_ frame: VideoFrame) throws(ObscuraError) -> Bool { try append(frame, until: .now) }
}

/// Counts of the frames written by a ``FrameWriter``.
public struct WrittenFrames: Sendable, Hashable {
    /// Number of frames that have been written completely, to files or to a pipe. For a ``MovieFrameWriter``, the number of
    /// frames that were passed to the encoder.
    public var frames = 0
    /// The size of the written frames, in bytes.
    public var bytes: Int64 = 0
    /// The size of the last written frame, in pixels; nil before the first frame.
    public var size: PixelSize?
    /// The pixel format in which the last frame was written; nil before the first frame.
    public var pixelFormat: PixelFormat?
    /// Statistics of the time to encode a frame, from the image to the bytes of the file.
    public var encoding = StageStatistics()
    /// Statistics of the time to write the bytes of a frame to the file or the pipe.
    public var writing = StageStatistics()

    /// Creates empty counts.
    public init() {}
}
