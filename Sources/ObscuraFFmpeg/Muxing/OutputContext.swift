// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
package import ObscuraMedia

/// A container for output: the muxer and its streams. Not thread-safe: use one thread at a time.
package final class OutputContext {
    /// The layout of the file.
    package enum Form {
        /// Fragmented: playable at any time up to the last complete fragment.
        case fragmented
        /// Playable only after the whole file has been written; the index is at the front of the file. With the largest size
        /// that the index can have, in bytes, its place is kept free, and the rest of it stays unused. Without it, all data
        /// is moved at the end: read and written once more.
        case fastStart(indexLimit: Int64? = nil)

        fileprivate var isFragmented: Bool {
            if case .fragmented = self { true } else { false }
        }
    }

    /// The maximum duration of a fragment. Including the frames in the encoder, less than a second is lost in a power
    /// loss.
    private static let fragmentMilliseconds: Int64 = 250

    private let bytes: OutputBytes
    private let log: FFmpegLog
    private let logOwner: FFmpegLog.Owner
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let packet: Packet
    private let isInterleaving: Bool
    private var isHeaderWritten = false
    /// The size of the file up to the last complete fragment.
    package private(set) var wholeSize: Int64 = 0

    package init(
        _ bytes: OutputBytes, container: MovieContainer, form: Form, streams: [OutputStream], tags: [String: String],
        streamTags: [String: String], chapters: [MovieChapter] = [],
        log: FFmpegLog = FFmpegLog()
    ) throws(ObscuraError) {
        self.bytes = bytes
        self.log = log
        logOwner = FFmpegLog.Owner(log)
        guard let packet = Packet() else { throw .outOfMemory(.recording, bytes.path) }
        self.packet = packet
        isInterleaving = !form.isFragmented || container == .mkv
        var made: UnsafeMutablePointer<AVFormatContext>?
        guard libav.avformat_alloc_output_context2(&made, nil, container.muxerName, nil) >= 0, let made else {
            throw ObscuraError(
                .recording, .writingFailed, subject: bytes.path,
                reason: "FFmpeg was built without support for \(container.rawValue)")
        }
        // From here on, a thrown error runs deinit, which frees the context.
        context = made
        made.pointee.opaque = logOwner.opaque
        made.pointee.pb = bytes.context
        made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        // FLAC and Opus in MP4 are standardized, but FFmpeg 5 still requires this setting.
        made.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        bytes.allowReading(made)
        var settings: OpaquePointer?
        defer { libav.av_dict_free(&settings) }
        configure(container, form, streams, &settings)
        // Sorted, so that the same movie has the same bytes in each process.
        for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
            libav.setEntry(key, value, in: &made.pointee.metadata)
        }
        try add(chapters)
        for stream in streams { try add(stream, container, streamTags) }
        try check(log.collecting { libav.avformat_write_header(context, &settings) }, "its header cannot be written")
        isHeaderWritten = true
        libav.avio_flush(made.pointee.pb)
        try check(0, "its header cannot be written")
        wholeSize = bytes.size
    }

    deinit {
        libav.avformat_free_context(context)
    }

    private func configure(
        _ container: MovieContainer, _ form: Form, _ streams: [OutputStream], _ settings: inout OpaquePointer?
    ) {
        if container == .mkv {
            libav.setEntry("cluster_time_limit", "\(Self.fragmentMilliseconds)", in: &settings)
            libav.setEntry("default_mode", "infer", in: &settings)
            // A stream without packets must not delay the other one.
            if form.isFragmented { context.pointee.max_interleave_delta = Self.fragmentMilliseconds * 1000 }
            return
        }
        var flags = "+use_metadata_tags"
        switch form {
        case .fragmented:
            flags += "+empty_moov+default_base_moof+frag_discont+skip_trailer"
            libav.setEntry("frag_duration", "\(Self.fragmentMilliseconds * 1000)", in: &settings)
            libav.setEntry("use_editlist", "0", in: &settings)
            // Otherwise the first packet would become the start of the movie.
            context.pointee.avoid_negative_ts = AVFMT_AVOID_NEG_TS_DISABLED
        case .fastStart(let indexLimit):
            if let indexLimit {
                libav.setEntry("moov_size", "\(indexLimit)", in: &settings)
            } else {
                flags += "+faststart"
            }
            // Otherwise each packet would be a write of its own.
            context.pointee.pb?.pointee.min_packet_size = OutputBytes.blockSize
        }
        libav.setEntry("movflags", flags, in: &settings)
        // Makes the durations of the movie as exact as those of its streams.
        let timescale = streams.first { $0.parameters.isVideo } ?? streams.first
        libav.setEntry("movie_timescale", "\(timescale?.timescale ?? 1000)", in: &settings)
    }

    private func add(_ stream: OutputStream, _ container: MovieContainer, _ tags: [String: String]) throws(ObscuraError)
    {
        guard let made = context.add(stream) else { throw .outOfMemory(.recording, bytes.path) }
        if stream.parameters.pointer.pointee.codec_id == AV_CODEC_ID_HEVC, container != .mkv {
            // With parameter sets only in the header, as Apple's players require: "hvc1".
            made.pointee.codecpar.pointee.codec_tag = 0x3163_7668
        }
        for (key, value) in tags { _ = libav.av_dict_set(&made.pointee.metadata, key, value, AV_DICT_DONT_OVERWRITE) }
        if container == .mov, let entry = libav.av_dict_get(made.pointee.metadata, "language", nil, 0) {
            let code = LanguageCode.bibliographic(String(cString: entry.pointee.value))
            libav.setEntry("language", code, in: &made.pointee.metadata)
        }
    }

    /// Adds chapters. After the header, only Matroska takes them, and writes them at the end.
    package func add(_ chapters: [MovieChapter]) throws(ObscuraError) {
        for chapter in chapters {
            guard
                obscura_add_chapter(
                    context, chapter.start.nanoseconds, chapter.end.nanoseconds, chapter.title) >= 0
            else { throw .outOfMemory(.recording, bytes.path) }
        }
    }

    /// Writes a packet, with its times shifted by `shift`.
    package func write(_ encoded: EncodedPacket, stream: Int, shift: Int64 = 0) throws(ObscuraError) {
        guard packet.refer(to: encoded) else { throw .outOfMemory(.recording, bytes.path) }
        try write(packet, stream: stream, timescale: encoded.timescale, shift: shift)
    }

    /// Writes a packet, with its times shifted by `shift`, and empties it.
    ///
    /// - Parameter timescale: units per second of the packet's times and of `shift`.
    package func write(_ packet: Packet, stream: Int, timescale: Int32, shift: Int64 = 0) throws(ObscuraError) {
        let pointer = packet.pointer
        pointer.pointee.pts = Self.moved(pointer.pointee.pts, by: shift)
        pointer.pointee.dts = Self.moved(pointer.pointee.dts, by: shift)
        let status = log.collecting {
            context.write(packet, stream: stream, timescale: timescale, isInterleaving: isInterleaving)
        }
        try check(status, "it cannot be written")
        wholeSize = bytes.size
    }

    /// Returns the shifted time of a packet; an unknown time, and one that would overflow, is unchanged.
    private static func moved(_ time: Int64, by shift: Int64) -> Int64 {
        let (sum, overflow) = time.addingReportingOverflow(shift)
        return overflow || time == OBSCURA_NO_TIMESTAMP ? time : sum
    }

    /// Writes the remaining packets and the end of the file.
    package func finish() throws(ObscuraError) {
        guard isHeaderWritten else { return }
        isHeaderWritten = false
        let status = log.collecting { libav.av_write_trailer(context) }
        libav.avio_flush(context.pointee.pb)
        try check(status, "its end cannot be written")
        wholeSize = bytes.size
    }

    private func check(_ status: Int32, _ reason: String) throws(ObscuraError) {
        let broken = context.pointee.pb?.pointee.error ?? 0
        guard status < 0 || broken < 0 || bytes.failure != nil else { return }
        if let failure = bytes.failure { throw ObscuraError(failure, writing: bytes.path) }
        let code = status < 0 ? status : broken
        throw ObscuraError(
            .recording, .writingFailed, subject: bytes.path, reason: "\(reason): \(FFmpegCode.text(code))",
            libraryMessage: log.message)
    }
}

extension MovieContainer {
    /// FFmpeg's name of the muxer.
    fileprivate var muxerName: String { self == .mkv ? "matroska" : rawValue }
}
