// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraFFmpeg
internal import ObscuraMedia

/// Finishes the parts of a recording, in parallel to the encoding of the next one.
final class PartFinisher: Sendable {
    /// The properties of a file that its tracks know.
    struct Facts: Sendable {
        var videoEncoder: String?
        var audioEncoder: String?
        var skippedFrameCount: Int
        var audioDrift: Double?
        /// The beginnings of the chapters of the file, and their titles.
        var chapters: [MovieChapter.Beginning]
    }

    /// A file that no other thread uses any more.
    ///
    /// `Sendable` is safe because the engine gives up its reference first, and a single job uses the file.
    private struct Handed: @unchecked Sendable {
        let file: MovieFile
    }

    /// Each keeps its file open. A movie that is read as fast as possible can be split faster than parts are finished.
    private static let mostUnfinished = 64

    private let onPart: (@Sendable (Result<WriterReport, ObscuraError>) -> Void)?
    /// Number of parts that are being finished.
    private let unfinished = Lock(0)
    private static let pool = WorkerPool(name: "finish-movie", threads: 1)

    init(onPart: (@Sendable (Result<WriterReport, ObscuraError>) -> Void)?) {
        self.onPart = onPart
    }

    /// Finishes a file, which the caller must no longer use. Waits while many are being finished.
    func finish(_ file: MovieFile, _ facts: Facts) {
        let handed = Handed(file: file)
        unfinished.wait { count -> Void? in
            guard count < Self.mostUnfinished else { return nil }
            count += 1
            return ()
        }
        Self.pool.async { [onPart, unfinished] in
            defer { unfinished.withLockSignalling { $0 -= 1 } }
            do throws(ObscuraError) {
                let report = try Self.report(handed.file, facts)
                onPart?(.success(report))
            } catch {
                onPart?(.failure(error))
            }
        }
    }

    /// Reports that a part cannot begin.
    func fail(_ error: ObscuraError) {
        onPart?(.failure(error))
    }

    /// Waits until all parts are finished.
    func wait() {
        _ = unfinished.wait { $0 == 0 ? true : nil }
    }

    /// Finishes a file on this thread.
    static func report(_ file: MovieFile, _ facts: Facts) throws(ObscuraError) -> WriterReport {
        let (byteCount, isFragmented) = try file.finish(chapters: facts.chapters)
        return WriterReport(
            path: file.path.target, start: file.start, duration: file.duration, videoFrameCount: file.videoFrameCount,
            skippedFrameCount: facts.skippedFrameCount, byteCount: byteCount, videoEncoder: facts.videoEncoder,
            audioEncoder: facts.audioEncoder, audioDrift: facts.audioDrift, isFragmented: isFragmented)
    }
}
