// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
package import ObscuraBase
package import ObscuraMedia

/// An open container: the demuxer, its streams, and the underlying file or connection. Not thread-safe: use one thread
/// at a time.
///
/// Its access depends on the kind of input. A file's context has one open descriptor and may open nothing else; an
/// address may open only its own protocols.
package final class InputContext {
    /// A container with more streams is treated as malicious.
    private static let maximumStreams: Int32 = 100
    /// The limit for detecting the streams, in bytes and microseconds of the movie.
    private static let probeBytes: Int64 = 5_000_000
    private static let probeMicroseconds: Int64 = 5_000_000
    /// The time limit for opening a file. Disks that are spun down need seconds.
    private static let fileTimeout = Duration.seconds(30)

    private let request: InputRequest
    package let control: ReadControl
    package let log: FFmpegLog
    private let logOwner: FFmpegLog.Owner
    private let bytes: FileBytes?
    private var context: UnsafeMutablePointer<AVFormatContext>

    /// Opens the input within the control's deadline, which the caller sets for an address.
    package init(_ request: InputRequest, control: ReadControl, log: FFmpegLog) throws(ObscuraError) {
        try FFmpegLibrary.load()
        self.request = request
        self.control = control
        self.log = log
        let subject = request.subject
        defer { control.setDeadline(nil) }
        switch request.place {
        case .file(let path):
            logOwner = FFmpegLog.Owner(log)
            bytes = try FileBytes(path: path, control: control, end: request.end)
        case .network(let connection):
            logOwner = FFmpegLog.Owner(log, connectionOptions: connection.options)
            bytes = nil
        }
        // A pipe may wait for its writer without a time limit.
        if let bytes, bytes.size != nil { control.setDeadline(.now + Self.fileTimeout) }
        var format: UnsafePointer<AVInputFormat>?
        if let bytes {
            format = try Self.probe(bytes, request, control: control, log: log)
            try Self.checkIndex(of: bytes, format, request)
        }
        guard let allocated = libav.avformat_alloc_context() else { throw .outOfMemory(.movies, subject) }
        allocated.pointee.opaque = logOwner.opaque
        allocated.pointee.interrupt_callback = control.interruptCallback
        allocated.pointee.max_streams = Self.maximumStreams
        allocated.pointee.probesize = Self.probeBytes
        allocated.pointee.max_analyze_duration = Self.probeMicroseconds
        var settings: OpaquePointer?
        defer { libav.av_dict_free(&settings) }
        let name: String
        switch request.place {
        case .file(let path):
            name = path
            allocated.pointee.pb = bytes?.context
            allocated.pointee.io_open = { _, _, _, _, _ in -EACCES }
            libav.setEntry("protocol_whitelist", "", in: &settings)
        case .network(let connection):
            name = connection.url
            logOwner.watchConnections(of: allocated)
            for (name, value) in connection.options { libav.setEntry(name, value, in: &settings) }
            for (name, value) in connection.demuxerOptions { libav.setEntry(name, value, in: &settings) }
            libav.setEntry("protocol_whitelist", connection.protocols, in: &settings)
            libav.setEntry("format_whitelist", connection.demuxers.sorted().joined(separator: ","), in: &settings)
        }
        var opened: UnsafeMutablePointer<AVFormatContext>? = allocated
        // On failure, this frees the context.
        var status = log.collecting { libav.avformat_open_input(&opened, name, format, &settings) }
        guard status >= 0, let opened else {
            throw Self.failure(status, "opening", request, bytes, control: control, log: log)
        }
        // From here on, a thrown error runs deinit, which closes the context.
        context = opened
        guard request.inspectsFrames || !Self.declaresStreams(opened) else { return }
        status = Self.findStreams(opened, maximumSize: request.maximumSize, log: log)
        guard status >= 0 else {
            throw Self.failure(status, "finding its streams", request, bytes, control: control, log: log)
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        // The file's AVIOContext stays open: it does not belong to this context.
        libav.avformat_close_input(&context)
    }

    /// The file or address for display, without a password.
    package var subject: String { request.subject }

    /// The name or names of the demuxer.
    package var formatName: String { context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? "" }

    /// The duration of all streams together, as the container declares it.
    package var duration: MediaTime? {
        let value = context.pointee.duration
        return value == OBSCURA_NO_TIMESTAMP || value <= 0 ? nil : MediaTime(value: value, timescale: AV_TIME_BASE)
    }

    /// Whether seeking is possible.
    package var isSeekable: Bool {
        guard let io = context.pointee.pb else { return false }
        return io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0
    }

    /// Whether TCP keeps the packets that have not been read yet.
    package var isByTCP: Bool {
        if case .network(let connection) = request.place { connection.isByTCP } else { false }
    }

    /// Whether it is a live stream, without an end and without seeking.
    package var isLive: Bool {
        switch request.place {
        case .file: false
        case .network(let connection): connection.isAlwaysLive || (duration == nil && !isSeekable)
        }
    }

    /// Returns the frame rate by the container or by its first frames; an average if it varies.
    package func frameRate(_ stream: InputStream) -> FrameRate? {
        let rate = libav.av_guess_frame_rate(context, stream.pointer, nil)
        return rate.num > 0 && rate.den > 0 ? FrameRate(rate.num, per: rate.den) : nil
    }

    /// The current size of the file; nil if the input is not a file.
    package var fileSize: Int64? { bytes?.size }

    /// The error of the first failed read of the file, which FFmpeg may have treated as its end; nil if there is none.
    package var readFailure: SystemError? { bytes?.failure }

    /// Returns the first bytes of the file.
    package func head(count: Int) -> [UInt8] { bytes?.bytes(at: 0, count: count) ?? [] }

    package var streams: [InputStream] {
        (0..<Int(context.pointee.nb_streams)).compactMap { index in
            context.pointee.streams[index].map(InputStream.init(pointer:))
        }
    }

    /// The tags of the container.
    package var tags: [String: String] { Self.entries(context.pointee.metadata) }

    /// The bit rate of all streams together, in bits per second; nil if unknown.
    package var bitRate: Int64? { context.pointee.bit_rate > 0 ? context.pointee.bit_rate : nil }

    /// The chapters in the order of their starts.
    package var chapters: [MovieChapter] {
        (0..<Int(context.pointee.nb_chapters)).compactMap { index -> MovieChapter? in
            guard let chapter = context.pointee.chapters[index]?.pointee else { return nil }
            func time(_ units: Int64) -> MediaTime {
                MediaTime(
                    numerator: Int128(units) * Int128(chapter.time_base.num), denominator: Int128(chapter.time_base.den)
                )
            }
            let start = time(chapter.start)
            let title = Self.entries(chapter.metadata)["title"] ?? ""
            return MovieChapter(start: start, end: max(start, time(chapter.end)), title: title)
        }.sorted { $0.start < $1.start }
    }

    static func entries(_ dictionary: OpaquePointer?) -> [String: String] {
        var entries: [String: String] = [:]
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = libav.av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            entries[String(cString: next.pointee.key)] = String(cString: next.pointee.value)
            entry = next
        }
        return entries
    }

    /// Selects the streams that a player would play; packets of all streams except video are then skipped.
    ///
    /// - Parameter only: the index of a stream that is selected instead; neither is selected if it is no video and no
    ///   audio.
    package func selectStreams(only: Int? = nil) -> (pictures: InputStream?, sound: InputStream?) {
        let streams = streams
        if let only {
            for stream in streams { stream.isRead = stream.index == only }
            guard let stream = streams.first(where: { $0.index == only && !$0.isCover }) else { return (nil, nil) }
            return (stream.kind == .video ? stream : nil, stream.kind == .audio ? stream : nil)
        }
        func best(_ kind: AVMediaType, beside other: InputStream? = nil) -> InputStream? {
            let index = Int(libav.av_find_best_stream(context, kind, -1, Int32(other?.index ?? -1), nil, 0))
            return streams.first { $0.index == index && !$0.isCover }
        }
        let pictures = best(AVMEDIA_TYPE_VIDEO)
        for stream in streams { stream.isRead = stream.index == pictures?.index }
        return (pictures, best(AVMEDIA_TYPE_AUDIO, beside: pictures))
    }

    /// Reads the next packet of any stream.
    ///
    /// - Returns: 0, or FFmpeg's code.
    package func read(_ packet: Packet) -> Int32 {
        guard request.isNetwork else { return log.collecting { libav.av_read_frame(context, packet.pointer) } }
        control.setDeadline(.now + request.readTimeout)
        defer { control.setDeadline(nil) }
        return log.collecting { libav.av_read_frame(context, packet.pointer) }
    }

    /// Seeks to the last position before `units` at which decoding can start, and returns whether this succeeded.
    /// Elementary streams cannot seek, because they have no times.
    package func seek(_ stream: InputStream, to units: Int64) -> Bool {
        guard !Demuxers.bare.contains(formatName) else { return false }
        control.setDeadline(request.isNetwork ? .now + request.readTimeout : nil)
        defer { control.setDeadline(nil) }
        return log.collecting {
            libav.avformat_seek_file(context, Int32(stream.index), .min, units, units, 0) >= 0
        }
    }

    /// Returns the error for FFmpeg's code. After a failed read of the file it is that of the read, which FFmpeg may take for
    /// the end of the file, or for a file of another kind.
    private static func failure(
        _ status: Int32, _ action: String, _ request: InputRequest, _ bytes: FileBytes?, control: ReadControl,
        log: FFmpegLog
    ) -> ObscuraError {
        if let failure = bytes?.failure, !control.isCancelled {
            return ObscuraError(failure, reading: request.subject, domain: .movies)
        }
        return ObscuraError(
            ffmpeg: status, subject: request.subject, action: action, isNetwork: request.isNetwork, log: log,
            control: control)
    }

    /// Detects the container of a file by its content and name, and rejects it if it is not allowed.
    private static func probe(
        _ bytes: FileBytes, _ request: InputRequest, control: ReadControl, log: FFmpegLog
    ) throws(ObscuraError) -> UnsafePointer<AVInputFormat>? {
        let subject = request.subject
        // The name may select a demuxer that is not allowed (an image with a number in its name): then only the content
        // is used.
        var refused = ""
        for name in [subject, ""] {
            guard !control.isCancelled else { throw .cancelled(.movies, subject) }
            var format: UnsafePointer<AVInputFormat>?
            let status = log.collecting {
                libav.av_probe_input_buffer2(bytes.context, &format, name, nil, 0, 0)
            }
            guard status >= 0, let format else {
                guard bytes.failure == nil, !control.hasExpired else {
                    throw failure(status, "reading", request, bytes, control: control, log: log)
                }
                continue
            }
            let found = String(cString: format.pointee.name)
            if Demuxers.isOne(of: request.containers, found) { return format }
            if refused.isEmpty { refused = found }
        }
        guard !control.isCancelled else { throw .cancelled(.movies, subject) }
        throw ObscuraError(
            .movies, .unsupportedContainer, subject: subject,
            reason: refused.isEmpty ? "it is not a movie" : "the container format \(refused) is not supported",
            advice: ["hls", "concat", "dash"].contains(refused)
                ? "Open the movies one by one. Playlists on disk are not opened, because they can refer to any file."
                : nil)
    }

    /// Rejects a file whose index would take more memory than the size of the file justifies. For a pipe, this is not
    /// known in advance.
    private static func checkIndex(
        of bytes: FileBytes, _ format: UnsafePointer<AVInputFormat>?, _ request: InputRequest
    ) throws(ObscuraError) {
        guard let name = format?.pointee.name, String(cString: name).split(separator: ",").contains("mov"),
            let size = bytes.size
        else { return }
        try request.checkIndex?(size) { bytes.bytes(at: $0, count: $1) }
    }

    /// Whether the container declares the sizes and the sample rates of its streams.
    private static func declaresStreams(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
        (0..<Int(context.pointee.nb_streams)).allSatisfy { index in
            guard let parameters = context.pointee.streams[index]?.pointee.codecpar?.pointee else { return false }
            switch parameters.codec_type {
            case AVMEDIA_TYPE_VIDEO: return parameters.width > 0 && parameters.height > 0
            case AVMEDIA_TYPE_AUDIO: return parameters.sample_rate > 0 && parameters.ch_layout.nb_channels > 0
            default: return true
            }
        }
    }

    private static func findStreams(
        _ context: UnsafeMutablePointer<AVFormatContext>, maximumSize: PixelSize, log: FFmpegLog
    ) -> Int32 {
        // The decoders that inspect the first frames have the same limit as the decoder of all frames.
        let count = Int(context.pointee.nb_streams)
        var settings = [OpaquePointer?](repeating: nil, count: max(1, count))
        for index in 0..<count {
            libav.setEntry("max_pixels", "\(maximumSize.pixelLimit)", in: &settings[index])
            // Their pixels are not looked at.
            libav.setEntry("skip_loop_filter", "all", in: &settings[index])
            libav.setEntry("skip_idct", "all", in: &settings[index])
        }
        defer { for index in 0..<count { libav.av_dict_free(&settings[index]) } }
        return log.collecting { libav.avformat_find_stream_info(context, &settings) }
    }
}
