// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import ObscuraBase
internal import ObscuraImaging
public import ObscuraMedia

/// A writer that writes each frame to a separate file: `frames/000001.jpg`, `frames/000002.jpg` and so on.
///
/// Frames are encoded and written on all cores in parallel. Numbers are assigned in the order in which frames are
/// appended, so the order of the names is the order of the frames. A file gets its final name when it is complete.
/// Until then, the file is named `.obscura-….part` in the same folder.
///
/// Thread-safe.
public final class FrameSequenceWriter: QueuedWriter {
    /// The encoding of the files.
    public enum Encoding: Sendable, Hashable {
        /// A JPEG file with a quality from 1 to 100.
        case jpeg(quality: Int = 90)
        /// A PNG file with fast, light compression.
        case png
        /// The frame's planes without padding.
        case raw
    }

    let queue: WritingQueue

    /// Creates a writer and checks its settings; writes no file yet.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the paths; without a placeholder for the number, only one frame can be written.
    ///   - encoding: The file format, and the quality of JPEG files.
    ///   - firstNumber: The number of the first frame.
    ///   - overwrites: Whether existing files may be replaced.
    ///   - threads: Number of encoding threads; nil for one per core.
    /// - Throws: ``ObscuraError``: `fileExists` if `overwrites` is false and a file matches the pattern;
    ///   `invalidRequest` for an invalid quality; `notWritable` if no thread can be started.
    public init(
        _ pattern: FramePathPattern, encoding: Encoding, firstNumber: Int = 1, overwrites: Bool = false,
        threads: Int? = nil
    ) throws(ObscuraError) {
        if !overwrites { try Self.checkIsFree(pattern) }
        do { _ = try FileEncoder(encoding) } catch {
            throw ObscuraError(wrapping: error, as: .files, .encodingFailed, subject: pattern.description)
        }
        let threads = max(1, threads ?? WorkerPool.coreCount)
        queue = WritingQueue(subject: pattern.description, capacity: 2 * threads)
        let folder = pattern.folder
        try queue.start(threads: threads, name: "encode") { queue in
            var encoder: FileEncoder?
            while let job = queue.take() {
                let path = pattern.path(firstNumber + job.index)
                do throws(ObscuraError) {
                    let begin = HostTime.now
                    let bytes: [UInt8]
                    do {
                        let working = try encoder ?? FileEncoder(encoding)
                        encoder = working
                        bytes = try working.encode(job.frame.buffer)
                    } catch {
                        throw ObscuraError(wrapping: error, as: .files, .encodingFailed, subject: path)
                    }
                    let encoded = HostTime.now
                    guard pattern.hasNumber || job.index == 0 else { throw .fileExists(path) }
                    try OutputFile.makeFolder(folder)
                    try OutputFile.writeWhole(bytes, to: path, overwrites: overwrites)
                    queue.done(
                        job, (job.frame.buffer.size, job.frame.buffer.format), bytes: bytes.count,
                        begin: begin, encoded: encoded, end: .now)
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

    /// Rejects further frames, and unblocks callers of ``append(_:until:)``.
    public func close() { queue.close() }

    /// Closes the writer, and blocks until all accepted frames are written; see ``FrameWriter/finish(until:)``.
    ///
    /// - Throws: ``ObscuraError``: the first error of the writer, or `timedOut` if frames are still waiting at the
    ///   deadline.
    public func finish(until deadline: HostTime? = nil) throws(ObscuraError) {
        try queue.finish(until: deadline)
    }

    private static func checkIsFree(_ pattern: FramePathPattern) throws(ObscuraError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: pattern.folder)) ?? []
        if let name = names.filter(pattern.matches).min() {
            throw .fileExists(pattern.folder == "." ? name : "\(pattern.folder)/\(name)")
        }
    }
}

/// The encoder of one thread.
private enum FileEncoder {
    case jpeg(JPEGEncoder)
    case png(PNGEncoder)
    case raw

    init(_ encoding: FrameSequenceWriter.Encoding) throws {
        self =
            switch encoding {
            case .jpeg(let quality): .jpeg(try JPEGEncoder(quality: quality))
            case .png: .png(try PNGEncoder())
            case .raw: .raw
            }
    }

    func encode(_ picture: PixelBuffer) throws -> [UInt8] {
        switch self {
        case .jpeg(let encoder): try encoder.encode(picture)
        case .png(let encoder): try encoder.encode(picture)
        case .raw: picture.packedBytes()
        }
    }
}
