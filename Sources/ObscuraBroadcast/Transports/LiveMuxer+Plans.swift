// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMovies

/// The muxer configuration of each kind of destination.
extension LiveMuxer.Plan {
    /// MPEG-TS without buffering: each frame and each audio packet is sent separately.
    static func transportStream(_ carrier: LiveMuxer.Carrier, protocols: [String]) -> Self {
        Self(
            muxer: "mpegts", carrier: carrier, protocols: protocols,
            // Without its length, a frame would be complete only when the next one begins.
            options: ["pes_payload_size": "0", "omit_video_pes_length": "0"])
    }

    /// FLV over RTMP.
    static func rtmp(_ url: String, isSecure: Bool, settings: BroadcastSettings) -> Self {
        var options = ["rtmp_live": "live", "tcp_nodelay": "1"]
        if isSecure { options.merge(trust(settings)) { $1 } }
        return Self(
            muxer: "flv", carrier: .address(url, options: options),
            protocols: isSecure ? ["rtmps", "tls", "tcp"] : ["rtmp", "tcp"],
            // The output is not seekable, and its length is unknown.
            options: ["flvflags": "no_duration_filesize"])
    }

    /// RTP, announced and controlled by RTSP.
    static func rtsp(_ url: String, transport: RTSPTransport) -> Self {
        Self(
            muxer: "rtsp", carrier: .muxer(url), protocols: ["rtsp", "rtp", "udp", "tcp"],
            options: ["rtsp_transport": transport.rawValue])
    }

    static func udp(_ url: String) -> Self {
        // Seven MPEG-TS packets fit into an Ethernet packet.
        transportStream(.address(url, options: ["pkt_size": "1316"]), protocols: ["udp"])
    }

    /// HLS in a folder: segments of fragmented MP4, a media playlist, and the master playlist that refers to it.
    ///
    /// - Parameter firstNumber: number of the first segment.
    static func hls(_ path: HLSPath, firstNumber: Int, settings: BroadcastSettings) -> Self {
        Self(
            muxer: "hls", carrier: .muxer(path.media), protocols: ["file"],
            options: [
                "hls_time": "\(settings.segmentDuration / .seconds(1))", "hls_list_size": "\(settings.segmentCount)",
                "hls_delete_threshold": "\(HLSTransport.deleteThreshold)", "start_number": "\(firstNumber)",
                "hls_segment_type": "fmp4", "hls_fmp4_init_filename": path.initial,
                "hls_segment_filename": path.segments, "master_pl_name": path.masterName,
                // The playlist contains only complete segments.
                "hls_flags": "delete_segments+independent_segments+temp_file+program_date_time",
                // Otherwise the times of the first segment begin at 0.
                "hls_segment_options": "movflags=+frag_discont",
            ], endsWhenBroken: false)
    }

    /// The options for certificates, which must be issued by a trusted authority and match the host name.
    private static func trust(_ settings: BroadcastSettings) -> [String: String] {
        var options = ["tls_verify": "1", "verify": "1"]
        options["ca_file"] = settings.trustedCertificates
        return options
    }
}
