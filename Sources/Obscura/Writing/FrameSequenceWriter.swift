// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import ObscuraBase
internal import ObscuraImaging
public import ObscuraMedia

/// Writes each frame to a file of its own: `frames/000001.jpg`, `frames/000002.jpg` and so on.
///
/// The pictures are encoded on all cores, several at a time, and each file is written by the thread that
/// encoded it. The numbers go by the order in which frames were handed over, so that the order of the names
/// is the order of the frames. A file under its name is whole: it grows as `.obscura-….part` beside it.
///
/// Thread-safe.
public final class FrameSequenceWriter: FrameWriter {
    /// What each file holds.
    public enum Encoding: Sendable, Hashable {
        /// A JPEG of a quality from 1 to 100.
        case jpeg(quality: Int = 90)
        /// A PNG, compressed little and quickly.
        case png
        /// The frame's planes without padding.
        case raw
    }

    private let queue: WritingQueue

    /// Checks what can be checked before the first frame comes; nothing is written yet.
    ///
    /// - Parameters:
    ///   - pattern: the names; without a number there can be one frame only.
    ///   - firstNumber: the number of the first frame.
    ///   - overwrites: whether files that are there may be replaced.
    ///   - threads: how many encode; nil for one for each core.
    /// - Throws: ``ObscuraError/Code/fileExists`` if a file is there that one of the frames could be written
    ///   to; ``ObscuraError/Code/encodingFailed`` for a wrong quality.
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
                        (job.frame.buffer.size, job.frame.buffer.format), bytes: bytes.count,
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

    /// How many frames it may hold at once.
    public var capacity: Int { queue.capacity }

    /// What has been written so far.
    public var counts: WrittenFrames { queue.counts }

    /// Takes a frame; blocks the thread while there is no room, until the deadline at most. Returns false if it was not
    /// taken.
    ///
    /// - Throws: ``ObscuraError``: what went wrong with an earlier frame, or `closed`.
    public func append(_ frame: VideoFrame, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        try queue.append(frame, until: deadline)
    }

    /// Takes no more frames in, and lets go of callers that wait in ``append(_:until:)``.
    public func close() { queue.close() }

    /// Closes, and blocks until all that was handed over is written; see ``FrameWriter/finish(until:)``.
    ///
    /// - Throws: ``ObscuraError``: what went wrong first, or `timedOut`.
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
