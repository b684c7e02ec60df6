// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
package import ObscuraMedia

/// An open container: the demuxer, its streams, and the file or connection beneath. One thread at a time.
///
/// What it may touch is set by the kind of place. A file's context has one open descriptor and may open
/// nothing else; an address may open only the protocols that belong to it.
package final class InputContext {
    /// Beyond this a container is an attack and not a movie.
    private static let maximumStreams: Int32 = 100
    /// How much is read at most to find out what the streams are, in bytes and microseconds of movie.
    private static let probeBytes: Int64 = 5_000_000
    private static let probeMicroseconds: Int64 = 5_000_000
    /// How long a file may take until it is open. Disks that stand still need seconds.
    private static let fileTimeout = Duration.seconds(30)

    private let request: InputRequest
    package let control: ReadControl
    package let log: FFmpegLog
    private let logOwner: FFmpegLog.Owner
    private let bytes: FileBytes?
    private var context: UnsafeMutablePointer<AVFormatContext>

    /// Opens an address until the control's deadline.
    package init(_ request: InputRequest, control: ReadControl, log: FFmpegLog) throws(ObscuraError) {
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
        // A pipe may wait for its writer without an end.
        if let bytes, bytes.size != nil { control.setDeadline(.now + Self.fileTimeout) }
        var format: UnsafePointer<AVInputFormat>?
        if let bytes {
            format = try Self.probe(
                bytes, among: request.containers, subject: subject, control: control, log: log)
            try Self.checkIndex(of: bytes, format, request)
        }
        guard let allocated = avformat_alloc_context() else { throw .outOfMemory(.movies, subject) }
        allocated.pointee.opaque = logOwner.opaque
        allocated.pointee.interrupt_callback = control.interruptCallback
        allocated.pointee.max_streams = Self.maximumStreams
        allocated.pointee.probesize = Self.probeBytes
        allocated.pointee.max_analyze_duration = Self.probeMicroseconds
        var settings: OpaquePointer?
        defer { av_dict_free(&settings) }
        let name: String
        switch request.place {
        case .file(let path):
            name = path
            allocated.pointee.pb = bytes?.context
            allocated.pointee.io_open = { _, _, _, _, _ in -EACCES }
            av_dict_set(&settings, "protocol_whitelist", "", 0)
        case .network(let connection):
            name = connection.url
            logOwner.watchConnections(of: allocated)
            for (name, value) in connection.options { av_dict_set(&settings, name, value, 0) }
            for (name, value) in connection.demuxerOptions { av_dict_set(&settings, name, value, 0) }
            av_dict_set(&settings, "protocol_whitelist", connection.protocols, 0)
            av_dict_set(&settings, "format_whitelist", connection.demuxers.sorted().joined(separator: ","), 0)
        }
        var opened: UnsafeMutablePointer<AVFormatContext>? = allocated
        // On failure this frees the context.
        var status = log.collecting { avformat_open_input(&opened, name, format, &settings) }
        guard status >= 0, let opened else {
            throw ObscuraError(
                ffmpeg: status, subject: subject, action: "opening", isNetwork: request.isNetwork, log: log,
                control: control)
        }
        // From here on, an error that is thrown runs the deinit, which closes the context.
        context = opened
        status = Self.findStreams(opened, maximumSize: request.maximumSize, log: log)
        guard status >= 0 else {
            throw ObscuraError(
                ffmpeg: status, subject: subject, action: "finding its streams", isNetwork: request.isNetwork,
                log: log, control: control)
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        // The file's own AVIOContext stays: it is not this context's.
        avformat_close_input(&context)
    }

    /// The place for people, without a password.
    package var subject: String { request.subject }

    /// The names of the demuxer.
    package var formatName: String { context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? "" }

    /// The length that the container gives for all streams together.
    package var duration: MediaTime? {
        let value = context.pointee.duration
        return value == OBSCURA_NO_TIMESTAMP || value <= 0 ? nil : MediaTime(value: value, timescale: AV_TIME_BASE)
    }

    /// Whether another place can be gone to.
    package var isSeekable: Bool {
        guard let io = context.pointee.pb else { return false }
        return io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0
    }

    /// Whether it is a stream that goes on without end and without a place to go back to.
    package var isLive: Bool {
        switch request.place {
        case .file: false
        case .network(let connection): connection.isAlwaysLive || (duration == nil && !isSeekable)
        }
    }

    /// Frames a second, as the container says or as its first frames show; an average where it varies.
    package func frameRate(_ stream: InputStream) -> FrameRate? {
        let rate = av_guess_frame_rate(context, stream.pointer, nil)
        return rate.num > 0 && rate.den > 0 ? FrameRate(rate.num, per: rate.den) : nil
    }

    /// The size of the file at this moment; nil for what is no file.
    package var fileSize: Int64? { bytes?.size }

    /// The first bytes of the file.
    package func head(count: Int) -> [UInt8] { bytes?.bytes(at: 0, count: count) ?? [] }

    package var streams: [InputStream] {
        (0..<Int(context.pointee.nb_streams)).compactMap { index in
            context.pointee.streams[index].map(InputStream.init(pointer:))
        }
    }

    /// The tags of the container.
    package var tags: [String: String] { Self.entries(context.pointee.metadata) }

    /// Bits a second of all streams together, as far as it is known.
    package var bitRate: Int64? { context.pointee.bit_rate > 0 ? context.pointee.bit_rate : nil }

    static func entries(_ dictionary: OpaquePointer?) -> [String: String] {
        var entries: [String: String] = [:]
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            entries[String(cString: next.pointee.key)] = String(cString: next.pointee.value)
            entry = next
        }
        return entries
    }

    /// The streams that a player would show and play. All but the pictures are then skipped.
    package func selectStreams() -> (pictures: InputStream?, sound: InputStream?) {
        let streams = streams
        func best(_ kind: AVMediaType, beside other: InputStream? = nil) -> InputStream? {
            let index = Int(av_find_best_stream(context, kind, -1, Int32(other?.index ?? -1), nil, 0))
            return streams.first { $0.index == index && !$0.isCover }
        }
        let pictures = best(AVMEDIA_TYPE_VIDEO)
        for stream in streams { stream.isRead = stream.index == pictures?.index }
        return (pictures, best(AVMEDIA_TYPE_AUDIO, beside: pictures))
    }

    /// The next packet of any stream.
    ///
    /// - Returns: 0, or FFmpeg's code.
    package func read(_ packet: Packet) -> Int32 {
        guard request.isNetwork else { return log.collecting { av_read_frame(context, packet.pointer) } }
        control.setDeadline(.now + request.readTimeout)
        defer { control.setDeadline(nil) }
        return log.collecting { av_read_frame(context, packet.pointer) }
    }

    /// Goes to the last place before `units` where decoding can begin. Returns whether it could. A bare
    /// stream cannot be sought: it has no times to find.
    package func seek(_ stream: InputStream, to units: Int64) -> Bool {
        guard !Demuxers.bare.contains(formatName) else { return false }
        control.setDeadline(request.isNetwork ? .now + request.readTimeout : nil)
        defer { control.setDeadline(nil) }
        return log.collecting {
            avformat_seek_file(context, Int32(stream.index), .min, units, units, 0) >= 0
        }
    }

    /// Finds out what a file is, by its bytes and its name, and refuses what is not on the list.
    private static func probe(
        _ bytes: FileBytes, among allowed: Set<String>, subject: String, control: ReadControl, log: FFmpegLog
    ) throws(ObscuraError) -> UnsafePointer<AVInputFormat>? {
        // The name may speak for a demuxer that is not allowed (a picture named with a number): then the
        // bytes alone are asked.
        var refused = ""
        for name in [subject, ""] {
            guard !control.isCancelled else { throw .cancelled(.movies, subject) }
            var format: UnsafePointer<AVInputFormat>?
            let status = log.collecting {
                av_probe_input_buffer2(bytes.context, &format, name, nil, 0, 0)
            }
            guard status >= 0, let format else { continue }
            let found = String(cString: format.pointee.name)
            if Demuxers.isOne(of: allowed, found) { return format }
            if refused.isEmpty { refused = found }
        }
        guard !control.isCancelled else { throw .cancelled(.movies, subject) }
        throw ObscuraError(
            .movies, .unsupportedContainer, subject: subject,
            reason: refused.isEmpty ? "it is not a movie" : "a file of the kind \(refused) is not read",
            advice: ["hls", "concat", "dash"].contains(refused)
                ? "A playlist on disk could name any other file. Open the movies that it lists one by one." : nil)
    }

    /// Rejects a file whose index would take more memory than the file explains. Of a pipe that is not known before.
    private static func checkIndex(
        of bytes: FileBytes, _ format: UnsafePointer<AVInputFormat>?, _ request: InputRequest
    ) throws(ObscuraError) {
        guard let name = format?.pointee.name, String(cString: name).split(separator: ",").contains("mov"),
            let size = bytes.size
        else { return }
        try request.checkIndex?(size) { bytes.bytes(at: $0, count: $1) }
    }

    private static func findStreams(
        _ context: UnsafeMutablePointer<AVFormatContext>, maximumSize: PixelSize, log: FFmpegLog
    ) -> Int32 {
        // The decoders that look at the first frames have the same limit as the one that decodes them all.
        let count = Int(context.pointee.nb_streams)
        var settings = [OpaquePointer?](repeating: nil, count: max(1, count))
        for index in 0..<count {
            av_dict_set(&settings[index], "max_pixels", "\(maximumSize.width * maximumSize.height)", 0)
        }
        defer { for index in 0..<count { av_dict_free(&settings[index]) } }
        return log.collecting { avformat_find_stream_info(context, &settings) }
    }
}
