// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// Takes frames in, one after the other, and writes them on threads of its own.
///
/// Bounded: it holds at most ``capacity`` frames; then ``append(_:until:)`` blocks the thread, which pushes back on a
/// file and makes a live camera drop frames. The first failure ends it: nothing is written after it, and every later
/// call throws it. Thread-safe; the order of the frames is the order of the calls.
public protocol FrameWriter: Sendable {
    /// How many frames it may hold at once. Set a reader's limit of leases no lower than two more.
    var capacity: Int { get }
    /// What has been written so far.
    var counts: WrittenFrames { get }
    /// Takes a frame; blocks the thread while there is no room, until the deadline at most. Nil is no deadline.
    ///
    /// - Returns: false if it was not taken.
    func append(_ frame: VideoFrame, until deadline: HostTime?) throws(ObscuraError) -> Bool
    /// Takes no more frames in, and lets go of callers that wait in ``append(_:until:)``. Does not block.
    func close()
    /// Closes, and blocks until all that was handed over is written.
    ///
    /// - Parameter deadline: then it gives up, with ``ObscuraError/Code/timedOut``; nil waits for as long
    ///   as the disk, or the reader of the pipe, takes.
    /// - Throws: what went wrong first.
    func finish(until deadline: HostTime?) throws(ObscuraError)
}

extension FrameWriter {
    /// Takes a frame; blocks the thread for as long as there is no room.
    public func append(_ frame: VideoFrame) throws(ObscuraError) { _ = try append(frame, until: nil) }

    /// Takes a frame, unless there is no room. Does not wait. Returns false if it was not taken.
    public func tryAppend(_ frame: VideoFrame) throws(ObscuraError) -> Bool { try append(frame, until: .now) }
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
    public var encoding = StageStatistics()
    /// From the bytes to the file or pipe, for each frame.
    public var writing = StageStatistics()

    /// Nothing yet.
    public init() {}
}
