// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// A live output stream: FFmpeg's muxer, and its connection or folder. Not thread-safe: use one thread at a time.
///
/// Each packet is sent immediately; none is held back for interleaving.
package final class LiveMuxer {
    /// The transport of the bytes.
    package enum Carrier {
        /// A connection to this address by a protocol of FFmpeg, with the options of the protocol.
        case address(String, options: [String: String])
        /// Connections or files that the muxer itself opens, at this address or path.
        case muxer(String)
        /// Messages that are passed to a closure.
        case messages(MessageBytes)
    }

    package struct Plan {
        /// FFmpeg's name of the muxer.
        package var muxer: String
        package var carrier: Carrier
        /// The allowed protocols.
        package var protocols: [String]
        /// The options of the muxer.
        package var options: [String: String] = [:]
        /// Whether the trailer is also written after a failure. In HLS, it would mark the broadcast as ended.
        package var endsWhenBroken = true

        package init(
            muxer: String, carrier: Carrier, protocols: [String], options: [String: String] = [:],
            endsWhenBroken: Bool = true
        ) {
            self.muxer = muxer
            self.carrier = carrier
            self.protocols = protocols
            self.options = options
            self.endsWhenBroken = endsWhenBroken
        }
    }

    private let plan: Plan
    private let control: ReadControl
    private let log: FFmpegLog
    private let logOwner: FFmpegLog.Owner
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let packet: Packet
    /// The connection, if this object must close it.
    private var connection: UnsafeMutablePointer<AVIOContext>?
    private var isHeaderWritten = false

    /// Opens the connection and writes the header. Blocks until the control's deadline.
    ///
    /// - Parameter failure: returns the error for an FFmpeg code.
    package init(
        _ plan: Plan, streams: [OutputStream], control: ReadControl, log: FFmpegLog,
        failure: (Int32) -> ObscuraError
    ) throws(ObscuraError) {
        try FFmpegLibrary.load()
        self.plan = plan
        self.control = control
        self.log = log
        logOwner = FFmpegLog.Owner(log)
        guard let packet = Packet() else { throw .outOfMemory(.broadcast, plan.muxer) }
        self.packet = packet
        let url: String? =
            switch plan.carrier {
            case .address(let url, _), .muxer(let url): url
            case .messages: nil
            }
        var made: UnsafeMutablePointer<AVFormatContext>?
        let status = log.collecting { libav.avformat_alloc_output_context2(&made, nil, plan.muxer, url) }
        guard status >= 0, let made else { throw failure(status) }
        // From here on, a thrown error runs deinit, which frees the context.
        context = made
        logOwner.watchFiles(of: made)
        made.pointee.interrupt_callback = control.interruptCallback
        made.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
        made.pointee.max_interleave_delta = 0
        // Otherwise RTP would combine several audio packets into one.
        made.pointee.max_delay = 0
        try open(failure)
        var settings: OpaquePointer?
        defer { libav.av_dict_free(&settings) }
        libav.setEntry("protocol_whitelist", plan.protocols.joined(separator: ","), in: &settings)
        for (key, value) in plan.options { libav.setEntry(key, value, in: &settings) }
        for stream in streams {
            guard context.add(stream) != nil else { throw .outOfMemory(.broadcast, plan.muxer) }
        }
        let written = log.collecting { libav.avformat_write_header(context, &settings) }
        guard written >= 0 else { throw failure(written) }
        isHeaderWritten = true
        if brokenStatus < 0 { throw failure(brokenStatus) }
    }

    deinit {
        // The RTSP muxer releases its connections only in its trailer. It must not block any longer.
        if isHeaderWritten {
            control.setDeadline(.now)
            if !plan.endsWhenBroken { logOwner.refuseFiles(of: context) }
            _ = log.collecting { libav.av_write_trailer(context) }
        }
        if connection != nil { _ = log.collecting { libav.avio_closep(&connection) } }
        context.pointee.pb = nil
        libav.avformat_free_context(context)
    }

    /// Writes a packet; blocks until the control's deadline.
    ///
    /// - Parameter sets: the parameter sets for each key frame, for clients that join at it.
    /// - Returns: 0, or FFmpeg's code.
    package func write(_ encoded: EncodedPacket, stream: Int, repeating sets: [UInt8] = []) -> Int32 {
        guard packet.refer(to: encoded, repeating: sets) else { return -ENOMEM }
        let status = log.collecting { context.write(packet, stream: stream, timescale: encoded.timescale) }
        return status < 0 ? status : brokenStatus
    }

    /// Writes the trailer.
    ///
    /// - Returns: 0, or FFmpeg's code.
    package func finish() -> Int32 {
        guard isHeaderWritten else { return 0 }
        isHeaderWritten = false
        let status = log.collecting { libav.av_write_trailer(context) }
        return status < 0 ? status : brokenStatus
    }

    /// FFmpeg's code of a failure that the muxer did not notice; 0 if there is none.
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
            defer { libav.av_dict_free(&settings) }
            for (key, value) in options { libav.setEntry(key, value, in: &settings) }
            var callback = control.interruptCallback
            let status = log.collecting { libav.avio_open2(&connection, url, AVIO_FLAG_WRITE, &callback, &settings) }
            guard status >= 0 else { throw failure(status) }
            context.pointee.pb = connection
        }
    }
}
