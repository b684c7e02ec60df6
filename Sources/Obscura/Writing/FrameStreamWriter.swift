// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraImaging
public import ObscuraMedia

/// A writer that writes all frames in order to a single file or pipe, on its own thread.
///
/// All frames must have the same size and format. If the disk becomes full, the file ends with the last complete frame.
///
/// If you write to a pipe, ignore the signal SIGPIPE in your process. If the reader of the pipe exits, the writer then
/// fails with ``ObscuraError/Code/closedPipe``. If your process does not ignore SIGPIPE, the signal ends your process.
///
/// Thread-safe.
public final class FrameStreamWriter: QueuedWriter {
    /// The destination of the stream.
    public enum Destination: Sendable, Hashable, CustomStringConvertible {
        /// The standard output of the process.
        case standardOutput
        /// A new file, or an existing pipe or device.
        case file(String)

        /// The path, or "standard output".
        public var description: String {
            switch self {
            case .standardOutput: "standard output"
            case .file(let path): path
            }
        }
    }

    /// The layout of the frames in the stream.
    public enum Layout: Sendable, Hashable {
        /// The planes only, without padding.
        case raw
        /// YUV4MPEG2 with this frame rate in its header; nil for frames without a constant rate. Frames in an
        /// unsupported format are converted; see ``Y4MHeader/nearestFormat(to:)``.
        case y4m(FrameRate?)
    }

    let queue: WritingQueue
    private let layout: Layout

    /// Creates a writer and checks its settings; writes nothing yet.
    ///
    /// - Parameters:
    ///   - destination: The file, pipe or device, or the standard output.
    ///   - layout: The layout of the frames.
    ///   - overwrites: Whether an existing file may be replaced.
    /// - Throws: ``ObscuraError``: `fileExists`; `notWritable` if no thread can be started.
    public init(
        _ destination: Destination, layout: Layout, overwrites: Bool = false
    ) throws(ObscuraError) {
        if case .file(let path) = destination, !overwrites, OutputFile.isFile(path) { throw .fileExists(path) }
        self.layout = layout
        queue = WritingQueue(subject: destination.description, capacity: 4)
        try queue.start(threads: 1, name: "write") { queue in
            var stream: OpenStream?
            while let job = queue.take() {
                do throws(ObscuraError) {
                    let begin = HostTime.now
                    var open: OpenStream
                    if let stream {
                        open = stream
                    } else {
                        open = try OpenStream(destination, layout, overwrites: overwrites)
                    }
                    let (header, frame, picture) = try open.prepare(job)
                    let encoded = HostTime.now
                    let count = try open.write(header, frame, as: job.request)
                    stream = open
                    queue.done(job, picture, bytes: count, begin: begin, encoded: encoded, end: .now)
                } catch {
                    queue.fail(job, error)
                }
            }
        }
    }

    deinit {
        queue.close()
    }

    /// Maximum number of frames that the writer holds at once.
    public var capacity: Int { queue.capacity }

    /// Counts of the frames written so far.
    public var counts: WrittenFrames { queue.counts }

    /// Appends a frame, and returns whether the frame was accepted. Blocks the thread while the queue is full, at most
    /// until the deadline. If the deadline is nil, the wait has no limit.
    ///
    /// - Throws: ``ObscuraError``: the error with which an earlier frame failed, or `closed` after ``close()``.
    public func append(_ frame: VideoFrame, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try queue.append(frame, until: deadline)
    }

    /// Whether the request changes only the pixel format, to one that is written row by row.
    func converts(_ request: ImageRequest) -> Bool {
        guard layout == .raw, let format = request.pixelFormat, [.bgra, .rgba, .bgr24, .rgb24].contains(format) else {
            return false
        }
        return request == ImageRequest(pixelFormat: format)
    }

    /// Rejects further frames, and unblocks callers of ``append(_:until:)``.
    public func close() { queue.close() }

    /// Closes the writer, and blocks until all accepted frames are written; see ``FrameWriter/finish(until:)``.
    ///
    /// - Throws: ``ObscuraError``: the first error of the writer, or `timedOut` if frames are still waiting at the
    ///   deadline.
    public func finish(until deadline: HostTime? = nil) throws(ObscuraError) {
        try queue.finish(until: deadline)
    }
}

/// The open stream, from its first frame on.
private struct OpenStream {
    private let name: String
    private let layout: FrameStreamWriter.Layout
    private let file: OutputFile
    private var first: (size: PixelSize, format: PixelFormat)?
    private var wholeBytes: Int64 = 0
    /// Memory for the conversion of bands.
    private let bands = PixelBufferPool(capacity: 2)

    init(
        _ destination: FrameStreamWriter.Destination, _ layout: FrameStreamWriter.Layout, overwrites: Bool
    ) throws(ObscuraError) {
        name = destination.description
        self.layout = layout
        switch destination {
        case .standardOutput: file = .standardOutput()
        case .file(let path):
            try OutputFile.makeFolder(PathParts(path).folder)
            file = try .create(path, overwrites: overwrites)
        }
    }

    /// Returns the bytes before the planes (with the header of the stream for the first frame), the frame to write, and
    /// the size and format in which it is written.
    mutating func prepare(
        _ job: WritingQueue.Job
    ) throws(ObscuraError) -> (header: [UInt8], frame: VideoFrame, picture: (size: PixelSize, format: PixelFormat)) {
        var frame = job.frame
        if case .y4m = layout { frame = frame.replacing(buffer: try y4mPicture(of: frame)) }
        let picture = (size: frame.buffer.size, format: job.request.pixelFormat ?? frame.buffer.format)
        if let first, first != picture { throw .formatChanged(name, from: first, to: picture) }
        var header: [UInt8] = []
        if case .y4m(let rate) = layout {
            if first == nil {
                let stream = Y4MHeader(
                    size: picture.size, pixelFormat: picture.format, frameRate: rate,
                    range: frame.buffer.colorSpace.range)
                header = Array((stream?.text ?? "").utf8)
            }
            header += Array("FRAME\n".utf8)
        }
        first = picture
        return (header, frame, picture)
    }

    /// Writes a frame after its header. Returns the number of bytes.
    mutating func write(
        _ header: [UInt8], _ frame: VideoFrame, as request: ImageRequest
    ) throws(ObscuraError) -> Int {
        var count = header.count
        do {
            try file.write(header)
            try frame.withBands(of: request, in: bands) { band in
                try file.write(band)
                count += band.packedByteCount
            }
        } catch {
            file.truncate(to: wholeBytes)
            throw ObscuraError(wrapping: error, as: .files, .encodingFailed, subject: name)
        }
        wholeBytes += Int64(count)
        return count
    }

    private func y4mPicture(of frame: VideoFrame) throws(ObscuraError) -> PixelBuffer {
        let format = Y4MHeader.nearestFormat(to: frame.buffer.format)
        do {
            return try frame.image(ImageRequest(pixelFormat: format))
        } catch {
            throw ObscuraError(wrapping: error, as: .files, .encodingFailed, subject: name)
        }
    }
}

extension ObscuraError {
    fileprivate static func formatChanged(
        _ name: String, from first: (size: PixelSize, format: PixelFormat),
        to second: (size: PixelSize, format: PixelFormat)
    ) -> ObscuraError {
        ObscuraError(
            .files, .formatChanged, subject: name,
            reason: "the frames changed from \(first.size) \(first.format.rawValue) to "
                + "\(second.size) \(second.format.rawValue), but a stream cannot change its format",
            advice: "Convert all frames to one size and pixel format.")
    }
}
