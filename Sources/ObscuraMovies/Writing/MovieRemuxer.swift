// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraFFmpeg
internal import ObscuraMedia

/// The rewriting of a recording as an unfragmented file: the same packets, with the index at the beginning.
enum MovieRemuxer {
    /// The result of a copy.
    struct Copy: Sendable, Hashable {
        /// Size of the new file in bytes.
        var byteCount: Int64 = 0
        /// Number of bytes of frames and audio that were read from complete fragments.
        var payload: Int64 = 0
        /// The end of that data on the movie's timeline.
        var end = MediaTime.zero
        /// Whether reading ended with an error instead of the end of the file.
        var isBrokenOff = false
    }

    /// Copies all complete packets of `source` to a new file, synchronizes it with the disk, and renames it to
    /// `target`.
    ///
    /// - Parameters:
    ///   - overwrites: whether an existing file of that name is replaced.
    ///   - room: the reserved disk space; copying ends with ``ObscuraError/Code/diskFull`` when it is exceeded.
    ///   - tags: the metadata of the new file; nil to copy that of `source`.
    ///   - chapters: the chapters of the new file; nil for those in the stream of `source` that holds chapters.
    ///   - isContinued: whether the audio continues from another file, so that it does not start with the encoder's
    /// priming samples.
    ///   - extent: the complete part of the file; nil for all of it, which must then be readable.
    ///   - indexLimit: the size that the index is expected not to exceed, in bytes; nil if it is unknown. With it, the data
    ///     is written once instead of twice.
    static func rewrite(
        _ source: String, to target: String, overwrites: Bool, container: MovieContainer, tags: MovieTags? = nil,
        chapters: [MovieChapter]? = nil, isContinued: Bool = false, extent: RecordingExtent? = nil,
        indexLimit: Int64? = nil, room: DiskRoom.Claim? = nil
    ) throws(ObscuraError) -> Copy {
        let input = try open(source, extent)
        var chapters = chapters
        if chapters == nil, input.streams.contains(where: \.holdsChapters) {
            chapters = try RecordedChapters.read(open(source, extent), of: source)
        }
        let draft = try ObscuraError.writing(target) { () throws(SystemError) in
            let parts = PathParts(RecordingPath(target).finishing)
            return try DraftFile(in: OpenFolder(path: parts.folder), name: parts.name) { _ in true }
        }
        let bytes = try OutputBytes(path: target, file: draft.file)
        let (streams, places, shifts) = try plan(
            input, source, container: container, hasPadding: !isContinued && container.isFragmented)
        let tags = tags ?? MovieTags(copying: MovieTags(input))
        let output = try OutputContext(
            bytes, container: container, form: .fastStart(indexLimit: indexLimit), streams: streams,
            tags: tags.container, streamTags: tags.stream, chapters: chapters ?? [])
        var copied = try copy(
            input, to: output, places: places, shifts: shifts, whole: extent?.whole ?? .max, source
        ) { () throws(ObscuraError) in try room?.check(written: bytes.size, for: target) }
        if extent == nil, copied.isBrokenOff || input.readFailure != nil {
            throw ObscuraError(
                .recording, .writingFailed, subject: target,
                reason: "the recorded data could not be read completely"
                    + (input.readFailure.map { ": \($0.reason)" } ?? ""),
                remedy: .recoverMovie(source), errno: input.readFailure?.number)
        }
        do throws(ObscuraError) {
            try output.finish()
        } catch {
            guard indexLimit != nil, bytes.failure == nil else { throw error }
            // The index is larger than expected.
            draft.discard()
            return try rewrite(
                source, to: target, overwrites: overwrites, container: container, tags: tags, chapters: chapters,
                isContinued: isContinued, extent: extent, room: room)
        }
        if let failure = bytes.failure { throw ObscuraError(failure, writing: target) }
        copied.byteCount = bytes.size
        try ObscuraError.writing(target) { () throws(SystemError) in
            try draft.take(PathParts(target).name, overwrites: overwrites, isSynced: true)
        }
        return copied
    }

    /// - Parameter extent: the complete part of a file that is recovered. Other recordings were completed by this process,
    ///   and their header declares all that is copied; their index is not limited.
    private static func open(_ source: String, _ extent: RecordingExtent?) throws(ObscuraError) -> InputContext {
        do throws(ObscuraError) {
            return try MovieLocation.file(path: source).open(
                MovieReadingOptions(), control: ReadControl(), log: FFmpegLog(), end: extent?.readable,
                inspectsFrames: extent != nil, indexCap: extent == nil ? nil : SampleTables.recordingCap)
        } catch {
            throw ObscuraError(
                .recording, .notRecoverable, subject: source, reason: error.reason, errno: error.errno,
                libraryMessage: error.libraryMessage)
        }
    }

    /// The streams to copy, their output indices by input index, and their time offsets.
    private static func plan(
        _ input: InputContext, _ source: String, container: MovieContainer, hasPadding: Bool
    ) throws(ObscuraError) -> ([OutputStream], [Int: Int], [Int: Int64]) {
        var streams: [OutputStream] = []
        var places: [Int: Int] = [:]
        var shifts: [Int: Int64] = [:]
        for stream in input.streams {
            guard stream.kind != .unknown, !stream.holdsChapters else { continue }
            guard stream.timescale != nil else {
                throw ObscuraError(
                    .recording, .notRecoverable, subject: source, reason: "it was not recorded by Obscura")
            }
            guard let made = try OutputStream(copying: stream, to: container, source) else { continue }
            places[stream.index] = streams.count
            shifts[stream.index] = hasPadding && made.parameters.isAudio ? -made.parameters.padding : 0
            streams.append(made)
        }
        guard streams.contains(where: { $0.parameters.isVideo || $0.parameters.isAudio }) else {
            throw ObscuraError(
                .recording, .notRecoverable, subject: source, reason: "it has neither video nor audio")
        }
        return (streams, places, shifts)
    }

    private static func copy(
        _ input: InputContext, to output: OutputContext, places: [Int: Int], shifts: [Int: Int64], whole: Int64,
        _ source: String, checkRoom: () throws(ObscuraError) -> Void
    ) throws(ObscuraError) -> Copy {
        var copied = Copy()
        var shifts = shifts
        // The last packet of each stream; its duration is known when the next one arrives.
        var held: [Int: Packet] = [:]
        var durations: [Int: Int64] = [:]
        var isCutOff = false
        var scales: [Int: Int32] = [:]
        for stream in input.streams { scales[stream.index] = stream.timescale }
        let texts = Set(input.streams.filter { $0.kind == .subtitle }.map(\.index))
        let chapters = input.streams.first(where: \.holdsChapters)?.index
        func write(_ packet: Packet, _ index: Int) throws(ObscuraError) {
            guard let place = places[index], let scale = scales[index] else { return }
            durations[index] = packet.duration
            try output.write(packet, stream: place, timescale: scale, shift: shifts[index] ?? 0)
            try checkRoom()
        }
        while true {
            guard let packet = Packet() else { throw .outOfMemory(.recording, source) }
            let status = input.read(packet)
            if status == FFmpegCode.again { continue }
            guard status >= 0 else {
                copied.isBrokenOff = status != FFmpegCode.endOfFile
                break
            }
            let index = packet.streamIndex
            // After a truncated packet, nothing is complete.
            if packet.isCorrupt { isCutOff = true }
            guard places[index] != nil || index == chapters, let scale = scales[index], !packet.isCorrupt,
                !packet.isEmpty
            else { continue }
            let units = packet.presentationTimestamp
            if packet.position < whole {
                copied.payload += Int64(packet.byteCount)
                if let units {
                    let (time, length) = (
                        MediaTime(value: units, timescale: scale),
                        MediaTime(value: max(0, packet.duration), timescale: scale)
                    )
                    copied.end = max(copied.end, time + length)
                }
            }
            // Those were read before.
            if index == chapters { continue }
            packet.position = -1
            if held[index] == nil, durations[index] == nil, input.formatName.hasPrefix("mov"),
                packet.decodeTimestamp == 0, let units, units > 0
            {
                // A fragment cannot begin before 0, so that the first frame, which is decoded earlier, was moved.
                shifts[index] = (shifts[index] ?? 0) - units
            }
            if let before = held[index] {
                // Obscura's movies never decode two frames at the same time; movies of other programs are copied
                // unchanged.
                if let duration = distance(from: before.decodeTimestamp, to: packet.decodeTimestamp) {
                    before.duration = duration
                }
                try write(before, index)
            }
            // An empty text ends the one before it; the muxer writes it itself.
            held[index] = texts.contains(index) && packet.bytes == TimedForm.endOfText ? nil : packet
        }
        guard held.keys.contains(where: { !texts.contains($0) }) else {
            throw ObscuraError(
                .recording, .notRecoverable, subject: source, reason: "it ends before its first frame or audio packet")
        }
        for stream in input.streams {
            guard let last = held[stream.index] else { continue }
            // The demuxer of fragments does not report the duration of the last packet, only the end of the stream.
            let end = stream.durationUnits
            if !isCutOff, input.formatName.hasPrefix("mov"),
                last.presentationTimestamp == last.decodeTimestamp,
                let duration = distance(from: last.presentationTimestamp, to: end)
            {
                last.duration = duration
            } else if last.duration <= 0 {
                last.duration = durations[stream.index] ?? 0
            }
            try write(last, stream.index)
        }
        return copied
    }

    /// The duration between two times; nil if one of them is unknown, or if the result exceeds any movie.
    private static func distance(from begin: Int64?, to end: Int64?) -> Int64? {
        guard let begin, let end else { return nil }
        let (difference, overflow) = end.subtractingReportingOverflow(begin)
        return overflow || difference <= 0 ? nil : difference
    }
}
