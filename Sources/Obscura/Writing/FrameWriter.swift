// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// Accepts frames and writes them in order on its own threads.
///
/// Bounded: it holds at most ``capacity`` frames; then ``append(_:until:)`` blocks the thread, so that a file waits
/// and a live camera drops frames. The first error ends it: nothing more is written, and every later call throws
/// that error. Thread-safe; the order of the frames is the order of the calls.
public protocol FrameWriter: Sendable {
    /// Number of frames that the writer may hold at once. Set the lease limit of a reader to at least this number
    /// plus two.
    var capacity: Int { get }
    /// Counts of the frames written so far.
    var counts: WrittenFrames { get }
    /// Appends a frame; blocks the thread while the queue is full, until the deadline at most. Nil is no deadline.
    ///
    /// - Returns: Whether the frame was accepted.
    func append(_ frame: VideoFrame, until deadline: HostTime?) throws(ObscuraError) -> Bool
    /// Rejects further frames, and unblocks callers of ``append(_:until:)``. Does not block.
    func close()
    /// Closes the writer, and blocks until all accepted frames are written.
    ///
    /// - Parameter deadline: The time to give up with ``ObscuraError/Code/timedOut``; nil waits as long as the disk, or
    ///   the reader of the pipe, needs.
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
    /// Frames that are complete in their file, or that the pipe has accepted.
    public var frames = 0
    /// The size of these frames in bytes.
    public var bytes: Int64 = 0
    /// The size of the last written frame; nil before the first.
    public var size: PixelSize?
    /// The pixel format of the last written frame, or that of the stream.
    public var pixelFormat: PixelFormat?
    /// The encoding time of each frame, from the image to the bytes of the file.
    public var encoding = StageStatistics()
    /// The writing time of each frame, from the bytes to the file or pipe.
    public var writing = StageStatistics()

    /// Creates empty counts.
    public init() {}
}
