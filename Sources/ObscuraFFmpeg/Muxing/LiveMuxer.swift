// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// A stream that is being sent: FFmpeg's muxer, and the connection or the folder beneath. One thread at a time.
///
/// Every packet goes out at once; none is held to be put in order with others.
package final class LiveMuxer {
    /// What carries the bytes.
    package enum Carrier {
        /// A protocol of FFmpeg's; the options are its own.
        case address(String, options: [String: String])
        /// The muxer opens what it needs.
        case muxer(String)
        /// Messages of ours.
        case messages(MessageBytes)
    }

    package struct Plan {
        /// FFmpeg's name.
        package var muxer: String
        package var carrier: Carrier
        /// The only protocols that may be opened.
        package var protocols: [String]
        /// Of the muxer.
        package var options: [String: String] = [:]
        /// Whether the trailer is written after a failure as well. In HLS it would tell players that the broadcast has
        /// ended.
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
    /// The connection, if it is ours to close.
    private var connection: UnsafeMutablePointer<AVIOContext>?
    private var isHeaderWritten = false

    /// Opens the way and writes the beginning. Waits until the control's deadline.
    ///
    /// - Parameter failure: makes an error of FFmpeg's code.
    package init(
        _ plan: Plan, streams: [OutputStream], control: ReadControl, log: FFmpegLog,
        failure: (Int32) -> ObscuraError
    ) throws(ObscuraError) {
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
        let status = log.collecting { avformat_alloc_output_context2(&made, nil, plan.muxer, url) }
        guard status >= 0, let made else { throw failure(status) }
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
        for stream in streams {
            guard context.add(stream) != nil else { throw .outOfMemory(.broadcast, plan.muxer) }
        }
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
    /// - Parameter sets: parameter sets for each key picture, for clients that join with it.
    /// - Returns: 0, or FFmpeg's code.
    package func write(_ encoded: EncodedPacket, stream: Int, repeating sets: [UInt8] = []) -> Int32 {
        guard packet.refer(to: encoded, repeating: sets) else { return -ENOMEM }
        let status = log.collecting { context.write(packet, stream: stream, timescale: encoded.timescale) }
        return status < 0 ? status : brokenStatus
    }

    /// Writes the end.
    ///
    /// - Returns: 0, or FFmpeg's code.
    package func finish() -> Int32 {
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
}
