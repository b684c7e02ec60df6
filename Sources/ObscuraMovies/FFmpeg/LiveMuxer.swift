// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import ObscuraMedia

/// A stream that is being sent: FFmpeg's muxer, and the connection or the folder beneath. One thread at a time.
///
/// Every packet goes out at once; none is held to be put in order with others.
final class LiveMuxer {
    /// What carries the bytes.
    enum Carrier {
        /// A protocol of FFmpeg's; the options are its own.
        case address(String, options: [String: String])
        /// The muxer opens what it needs.
        case muxer(String)
        /// Messages of ours.
        case messages(MessageBytes)
    }

    struct Plan {
        /// FFmpeg's name.
        var muxer: String
        var carrier: Carrier
        /// The only protocols that may be opened.
        var protocols: [String]
        /// Of the muxer.
        var options: [String: String] = [:]
        /// Whether each key frame brings the parameter sets along, for whoever joins later.
        var repeatsParameterSets = false
        /// The time that becomes 0; nil for the time of the first packet.
        var begin: MediaTime?
        /// Whether the trailer is written after a failure as well. In HLS it would tell players that the broadcast has
        /// ended.
        var endsWhenBroken = true
    }

    private let plan: Plan
    private let streams: BroadcastStreams
    private let control: ReadControl
    private let log: FFmpegLog
    private let logOwner: FFmpegLog.Owner
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let packet: Packet
    private let parameterSets: [UInt8]
    /// The connection, if it is ours to close.
    private var connection: UnsafeMutablePointer<AVIOContext>?
    private var isHeaderWritten = false
    /// The time of the broadcast that becomes 0.
    private var base: MediaTime?

    /// Opens the way and writes the beginning. Waits until the control's deadline.
    ///
    /// - Parameter failure: makes an error of FFmpeg's code.
    init(
        _ plan: Plan, streams: BroadcastStreams, control: ReadControl, log: FFmpegLog,
        failure: (Int32) -> ObscuraError
    ) throws(ObscuraError) {
        self.plan = plan
        self.streams = streams
        self.control = control
        self.log = log
        logOwner = FFmpegLog.Owner(log)
        guard let packet = Packet() else { throw .outOfMemory(.broadcast, plan.muxer) }
        self.packet = packet
        parameterSets = plan.repeatsParameterSets ? streams.video?.sets ?? [] : []
        let url: String? =
            switch plan.carrier {
            case .address(let url, _), .muxer(let url): url
            case .messages: nil
            }
        var made: UnsafeMutablePointer<AVFormatContext>?
        let status = log.collecting { avformat_alloc_output_context2(&made, nil, plan.muxer, url) }
        guard status >= 0, let made else { throw failure(status) }
        base = plan.begin
        // From here on, an error that is thrown runs the deinit, which frees the context.
        context = made
        logOwner.watchFiles(of: made)
        made.pointee.interrupt_callback = control.interruptCallback
        made.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
        made.pointee.max_interleave_delta = 0
        // RTP would else gather several pieces of sound into one packet.
        made.pointee.max_delay = 0
        try open(failure)
        var settings: OpaquePointer?
        defer { av_dict_free(&settings) }
        av_dict_set(&settings, "protocol_whitelist", plan.protocols.joined(separator: ","), 0)
        for (key, value) in plan.options { av_dict_set(&settings, key, value, 0) }
        for stream in streams.streams { try add(stream) }
        let written = log.collecting { avformat_write_header(context, &settings) }
        guard written >= 0 else { throw failure(written) }
        isHeaderWritten = true
        if brokenStatus < 0 { throw failure(brokenStatus) }
    }

    deinit {
        // Only its end makes the muxer of RTSP let go of its connections. It may not wait any more.
        if isHeaderWritten {
            control.setDeadline(.now)
            if !plan.endsWhenBroken { logOwner.refuseFiles(of: context) }
            _ = log.collecting { av_write_trailer(context) }
        }
        if connection != nil { _ = log.collecting { avio_closep(&connection) } }
        context.pointee.pb = nil
        avformat_free_context(context)
    }

    /// Writes a packet; waits until the control's deadline.
    ///
    /// - Returns: 0, or FFmpeg's code.
    func write(_ coded: BroadcastPacket) -> Int32 {
        let begin = base ?? coded.time
        base = begin
        guard coded.time >= begin, let index = streams.index(isVideo: coded.isVideo),
            let stream = context.pointee.streams[index]
        else { return 0 }
        guard packet.fill(coded.bytes(repeating: parameterSets)) else { return -ENOMEM }
        let pointer = packet.pointer
        pointer.pointee.stream_index = Int32(index)
        pointer.pointee.pts = coded.units - begin.converted(toTimescale: coded.timescale).value
        pointer.pointee.dts = pointer.pointee.pts
        pointer.pointee.duration = coded.duration
        if coded.isKey { pointer.pointee.flags |= AV_PKT_FLAG_KEY }
        av_packet_rescale_ts(pointer, AVRational(num: 1, den: coded.timescale), stream.pointee.time_base)
        let status = log.collecting { av_write_frame(context, pointer) }
        packet.unreference()
        return status < 0 ? status : brokenStatus
    }

    /// Writes the end.
    ///
    /// - Returns: 0, or FFmpeg's code.
    func finish() -> Int32 {
        guard isHeaderWritten else { return 0 }
        isHeaderWritten = false
        let status = log.collecting { av_write_trailer(context) }
        return status < 0 ? status : brokenStatus
    }

    /// FFmpeg's code of what went wrong while the muxer saw nothing of it; 0 if nothing did.
    private var brokenStatus: Int32 { min(0, context.pointee.pb?.pointee.error ?? 0, logOwner.fileError) }

    private func open(_ failure: (Int32) -> ObscuraError) throws(ObscuraError) {
        switch plan.carrier {
        case .muxer: break
        case .messages(let bytes):
            context.pointee.pb = bytes.context
            context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        case .address(let url, var options):
            options["protocol_whitelist"] = plan.protocols.joined(separator: ",")
            var settings: OpaquePointer?
            defer { av_dict_free(&settings) }
            for (key, value) in options { av_dict_set(&settings, key, value, 0) }
            var callback = control.interruptCallback
            let status = log.collecting { avio_open2(&connection, url, AVIO_FLAG_WRITE, &callback, &settings) }
            guard status >= 0 else { throw failure(status) }
            context.pointee.pb = connection
        }
    }

    private func add(_ stream: OutputContext.Stream) throws(ObscuraError) {
        guard let made = avformat_new_stream(context, nil),
            avcodec_parameters_copy(made.pointee.codecpar, stream.parameters.pointer) >= 0
        else { throw .outOfMemory(.broadcast, plan.muxer) }
        made.pointee.time_base = AVRational(num: 1, den: stream.timescale)
        made.pointee.codecpar.pointee.codec_tag = 0
        if let rate = stream.frameRate {
            made.pointee.avg_frame_rate = AVRational(num: rate.frames, den: rate.seconds)
        }
    }
}
