// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// Takes frames in, one after the other, and writes them on threads of its own.
///
/// Bounded: it holds at most ``capacity`` frames; then ``write(_:)`` blocks, which pushes back on a file
/// and makes a live camera drop frames. The first failure ends it: nothing is written after it, and every
/// later call throws it. Thread-safe; the order of the frames is the order of the calls.
public protocol FrameWriter: Sendable {
    /// How many frames it may hold at once. Set a reader's limit of leases no lower than two more.
    var capacity: Int { get }
    /// What has been written so far.
    var counts: WrittenFrames { get }
    /// Hands a frame over. Blocks while the writer holds as many as it may.
    func write(_ frame: VideoFrame) throws(ObscuraError)
    /// Takes no more frames in, and lets go of callers that wait in ``write(_:)``. Does not block.
    func close()
    /// Closes, and blocks until all that was handed over is written.
    ///
    /// - Parameter deadline: then it gives up, with ``ObscuraError/Code/timedOut``; nil waits for as long
    ///   as the disk, or the reader of the pipe, takes.
    /// - Throws: what went wrong first.
    func finish(until deadline: HostTime?) throws(ObscuraError)
}

/// What a ``FrameWriter`` has done.
public struct WrittenFrames: Sendable, Hashable {
    /// Frames that are whole in their file, or that the pipe has taken.
    public var frames = 0
    /// The bytes of these files.
    public var bytes: Int64 = 0
    /// The size of the picture last written; nil before the first.
    public var size: PixelSize?
    /// The format in which it came to the writer, or in which a stream holds it.
    public var pixelFormat: PixelFormat?
    /// From the picture to the bytes of the file, for each frame.
    public var encoding = WritingTimes()
    /// From the bytes to the file or pipe, for each frame.
    public var writing = WritingTimes()

    /// Nothing yet.
    public init() {}
}
