// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
package import ObscuraFFmpeg
package import ObscuraMedia

/// A movie file that grows under a temporary name and is renamed when it is complete. One thread at a time.
///
/// If the process ends earlier, the partial file remains; it is playable and can be recovered.
package final class MovieFile {
    /// The destination and the format of a movie.
    package struct Request {
        package var path: String
        package var container: MovieContainer
        package var overwrites: Bool
        package var metadata: Metadata
        /// Whether the date is filled in if the metadata has none.
        package var isDated: Bool
        package var maximumSize: Int64?
        package var minFreeDiskSpace: Int64

        package init(
            path: String, container: MovieContainer, overwrites: Bool, metadata: Metadata = Metadata(),
            isDated: Bool = false, maximumSize: Int64? = nil, minFreeDiskSpace: Int64 = 0
        ) {
            self.path = path
            self.container = container
            self.overwrites = overwrites
            self.metadata = metadata
            self.isDated = isDated
            self.maximumSize = maximumSize
            self.minFreeDiskSpace = minFreeDiskSpace
        }
    }

    package let path: RecordingPath
    private let request: Request
    /// Start time within the recording: nonzero for the later parts of a split recording.
    package let start: MediaTime
    /// The disk space that it keeps free.
    private let floor: DiskRoom.Floor
    private var budget: SizeBudget
    private var bytes: OutputBytes?
    private var output: OutputContext?
    private var streams: EncodedStreams?
    private var tags = MovieTags()
    private var sync: DiskSync?
    package private(set) var videoFrameCount = 0
    /// Number of bytes of its frames.
    package private(set) var pictureBytes: Int64 = 0
    /// Whether nothing was written except, possibly, the header.
    package private(set) var isEmpty = true
    /// The end of its longest stream, relative to the start of the file.
    package private(set) var duration = MediaTime.zero
    /// The time by which the first frame of a stream is decoded earlier than it is shown, in the units of its packet.
    private var reordering: [Int: Int64] = [:]
    private var longFrames = LongFrames()
    private var nextLook = HostTime.now
    /// The first failure; nothing is written after it.
    private var failure: ObscuraError?

    package init(_ request: Request, start: MediaTime = .zero) throws(ObscuraError) {
        path = RecordingPath(request.path)
        self.request = request
        budget = SizeBudget(limit: request.maximumSize, head: 0, streamCount: 1, isMatroska: request.container == .mkv)
        self.start = start
        try Self.checkName(request.path, overwrites: request.overwrites)
        try path.makeFolder()
        floor = DiskRoom.shared.keep(request.minFreeDiskSpace, of: request.path)
        do throws(ObscuraError) {
            bytes = try path.createPartial()
        } catch {
            // Errors refer to the final name, since callers pass only that one.
            throw error.code == .fileExists ? error : error.about(request.path)
        }
        sync = DiskSync(path: path.partial)
    }

    /// Checks whether a movie can have this name. Creates nothing.
    ///
    /// - Throws: ``ObscuraError``: `fileExists` for an existing movie or partial file; `notWritable` for a folder or an
    /// invalid name.
    package static func checkName(_ target: String, overwrites: Bool) throws(ObscuraError) {
        guard !target.isEmpty, !target.utf8.contains(0) else {
            throw ObscuraError(
                .recording, .notWritable, subject: "movie", reason: "the path is empty or contains a zero byte")
        }
        try RecordingPath(target).checkLength()
        try RecordingPath.checkIsNoFolder(target)
        if !overwrites, FileStatus.exists(target) { throw .fileExists(target) }
        let path = RecordingPath(target)
        if !path.canCreatePartial {
            throw ObscuraError(
                .recording, .fileExists, subject: path.partial,
                reason: "this partial file already exists: its recording is still running, or was interrupted",
                remedy: .recoverMovie(path.partial),
                errno: EEXIST)
        }
    }

    /// Current size in bytes.
    package var byteCount: Int64 { bytes?.size ?? 0 }
    package var isBegun: Bool { output != nil }
    /// Maximum size of the complete file in bytes.
    package var expectedByteCount: Int64 { budget.expected }
    /// Size of its largest packet in bytes.
    package var largestPacket: Int64 { budget.largest }
    /// Whether packets were skipped because they would exceed the size limit.
    package var isFull: Bool { budget.isFull }

    /// Writes the header.
    ///
    /// - Parameter time: the time of capture of the first sample; nil if the samples are not from a live source.
    package func begin(_ streams: EncodedStreams, at time: HostTime?) throws(ObscuraError) {
        guard let bytes else { return }
        self.streams = streams
        var metadata = request.metadata
        if request.isDated, metadata.date == nil { metadata.date = time.map { WallTime(of: $0) } ?? .now }
        tags = MovieTags(metadata, for: request.container)
        output = try keeping { () throws(ObscuraError) in
            try OutputContext(
                bytes, container: request.container, form: .fragmented, streams: streams.streams,
                tags: tags.container, streamTags: tags.stream)
        }
        budget = SizeBudget(
            limit: request.maximumSize, head: bytes.size, streamCount: streams.streams.count,
            isMatroska: request.container == .mkv)
    }

    /// Writes a packet of a track, unless it exceeds the size limit. Returns whether it was written.
    @discardableResult
    package func write(_ packet: EncodedPacket, track: Int) throws(ObscuraError) -> Bool {
        guard request.container.isFragmented else { return try put(packet, track) }
        let parts = longFrames.parts(of: packet, track: track)
        guard try put(parts[0], track) else { return false }
        for part in parts.dropFirst() { try put(part, track, isCopy: true) }
        return true
    }

    /// - Parameter isCopy: whether the frame is shown once more, and does not count.
    @discardableResult
    private func put(_ packet: EncodedPacket, _ track: Int, isCopy: Bool = false) throws(ObscuraError) -> Bool {
        let isVideo = packet.isVideo
        guard let output, failure == nil, let streams, let stream = streams.places[track] else {
            return false
        }
        let piece = SizeBudget.Piece(
            byteCount: Int64(packet.byteCount), stream: stream, duration: packet.duration,
            isKeyPicture: isVideo && packet.isKey, isReordered: packet.lead != 0, time: packet.time)
        guard budget.take(piece) else { return false }
        let begin = start.converted(toTimescale: packet.timescale).value
        // In a partial file the audio starts with the encoder's priming samples, but not before 0, because fragments
        // cannot express that; rewriting corrects it.
        let hasPadding = request.container.isFragmented && start == .zero && !isVideo
        var padding = hasPadding ? streams.streams[stream].parameters.padding : 0
        // The same for frames that are decoded earlier than they are shown.
        if isVideo, request.container.isFragmented {
            padding = reordering[stream] ?? packet.lead
            reordering[stream] = padding
        }
        let end = MediaTime(value: packet.units - begin + packet.duration, timescale: packet.timescale)
        try checkIsThere()
        try keeping { () throws(ObscuraError) in try output.write(packet, stream: stream, shift: padding - begin) }
        budget.note(written: byteCount, last: piece.byteCount)
        duration = max(duration, end)
        isEmpty = false
        if isVideo, !isCopy {
            videoFrameCount += 1
            pictureBytes += piece.byteCount
        }
        sync?.poke()
        return true
    }

    /// Converts the file to an unfragmented one under its final name. Blocks while it is copied.
    ///
    /// - Parameter chapters: where its chapters begin, and their titles.
    /// - Returns: its size, and whether it is still fragmented, because there was no disk space for rewriting it.
    /// - Throws: the failure that made it incomplete, with ``ObscuraError/usableFile`` if the written data is playable.
    package func finish(
        chapters beginnings: [MovieChapter.Beginning] = []
    ) throws(ObscuraError) -> (byteCount: Int64, isFragmented: Bool) {
        let chapters = MovieChapter.chapters(beginnings, end: duration)
        guard output != nil, !isEmpty else {
            discard()
            if isFull, let limit = request.maximumSize {
                throw .tooSmallLimit(path.target, limit, needed: budget.needed)
            }
            throw failure?.about(path.target)
                ?? ObscuraError(
                    .recording, .invalidState, subject: path.target, reason: "no frame or audio buffer was appended")
        }
        if failure == nil {
            try? keeping { () throws(ObscuraError) in
                if !request.container.isFragmented { try output?.add(chapters) }
                try output?.finish()
            }
        }
        output = nil
        bytes?.synchronize()
        // The data may not be on the disk, so that they must not replace an older movie.
        let isLost = failure == nil && bytes?.failure != nil
        if isLost { failure = bytes?.failure.map { ObscuraError($0, writing: path.target) } }
        sync = nil
        guard hasName else {
            bytes = nil
            throw failure ?? isGone
        }
        var usable = path.target
        var done: (byteCount: Int64, isFragmented: Bool) = (0, false)
        do throws(ObscuraError) {
            done = try giveName(chapters, overwrites: request.overwrites && !isLost)
        } catch {
            usable = path.partial
            failure = failure ?? error
        }
        bytes = nil
        guard var failure else { return done }
        failure.setUsableFile(usable)
        throw failure.about(path.target)
    }

    /// Deletes the file.
    package func discard() {
        output = nil
        sync = nil
        if hasName { unlink(path.partial) }
        bytes = nil
    }

    private func giveName(
        _ chapters: [MovieChapter], overwrites: Bool
    ) throws(ObscuraError) -> (byteCount: Int64, isFragmented: Bool) {
        guard request.container.isFragmented else {
            try path.renamePartial(overwrites: overwrites)
            return (byteCount, false)
        }
        do throws(ObscuraError) {
            guard let room = DiskRoom.shared.claim(byteCount, of: path.target) else {
                throw ObscuraError(SystemError(ENOSPC), writing: path.target)
            }
            // The partial file takes space until it is deleted.
            defer { withExtendedLifetime(room) {} }
            let copy = try MovieRemuxer.rewrite(
                path.partial, to: path.target, overwrites: overwrites, container: request.container,
                tags: tags, chapters: chapters, isContinued: start != .zero,
                indexLimit: chapters.isEmpty ? budget.indexLimit : nil, room: room)
            unlink(path.partial)
            return (copy.byteCount, false)
        } catch {
            guard error.code == .diskFull else { throw error }
            try path.renamePartial(overwrites: overwrites)
            return (byteCount, true)
        }
    }

    /// Checks twice a second that the file still has a name; data written to a deleted file is lost.
    private func checkIsThere() throws(ObscuraError) {
        let now = HostTime.now
        guard now >= nextLook, bytes != nil else { return }
        nextLook = now + .milliseconds(500)
        guard !hasName else { return }
        failure = isGone
        throw isGone
    }

    /// Whether the partial file still has its name: no process has deleted, renamed or replaced it.
    private var hasName: Bool { bytes?.file.isFile(at: path.partial) == true }

    private var isGone: ObscuraError {
        ObscuraError(
            .recording, .writingFailed, subject: path.target,
            reason: "\(path.partial) was deleted or renamed during the recording", errno: ENOENT)
    }

    /// Runs `body`; if it fails, truncates the file after its last complete fragment.
    private func keeping<R>(_ body: () throws(ObscuraError) -> R) throws(ObscuraError) -> R {
        do throws(ObscuraError) {
            return try body()
        } catch {
            if failure == nil { failure = error }
            if let output { bytes?.truncate(to: output.wholeSize) }
            throw error.about(path.target)
        }
    }
}
