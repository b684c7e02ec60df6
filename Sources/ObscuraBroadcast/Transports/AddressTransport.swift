// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// A destination that uses FFmpeg's muxers and protocols: RTMP, RTSP, UDP, and HLS in a folder.
final class AddressTransport: BroadcastTransport {
    private let muxer: BroadcastMuxer
    private let target: BroadcastTarget
    private let settings: BroadcastSettings
    private let control: ReadControl
    private let log: FFmpegLog
    private let probe: ConnectionProbe?

    init(
        _ target: BroadcastTarget, _ plan: LiveMuxer.Plan, _ streams: EncodedStreams, begin: MediaTime? = nil,
        settings: BroadcastSettings, control: ReadControl
    ) throws(ObscuraError) {
        self.target = target
        self.settings = settings
        self.control = control
        let log = FFmpegLog()
        self.log = log
        // FFmpeg does not report a failed name resolution as such, and blocks as long as the system does, so the name
        // is resolved here first.
        if let host = target.host {
            _ = try Endpoint.resolve(host, port: target.port ?? 1, subject: target.name, control: control)
        }
        probe = target.port.map { ConnectionProbe(toPort: $0) }
        muxer = try BroadcastMuxer(
            plan, streams, begin: begin, repeatsParameterSets: target.kind == .rtsp, control: control, log: log,
            failure: { ObscuraError(ffmpeg: $0, of: target, isOpening: true, log: log, control: control) })
        // Messages from connecting are irrelevant for later errors.
        log.clear()
        probe?.observe()
    }

    func send(_ packet: EncodedPacket) throws(ObscuraError) {
        control.setDeadline(.now + settings.sendTimeout)
        defer { control.setDeadline(nil) }
        let status = muxer.write(packet)
        // The RTP muxer does not report a cancelled write, after which the rest of a packet is missing.
        guard !control.mustEnd else { throw .lost(target.name, control) }
        try check(status)
    }

    func finish() throws(ObscuraError) {
        try check(muxer.finish())
    }

    var path: NetworkPath? { probe?.path }

    private func check(_ status: Int32) throws(ObscuraError) {
        guard status < 0 else { return }
        throw ObscuraError(ffmpeg: status, of: target, isOpening: false, log: log, control: control)
    }
}
