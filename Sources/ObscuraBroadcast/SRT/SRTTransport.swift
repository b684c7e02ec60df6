// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// MPEG-TS over SRT.
final class SRTTransport: BroadcastTransport {
    private let socket: SRTSocket
    private let bytes: MessageBytes
    private let muxer: BroadcastMuxer
    private let control: ReadControl
    private let settings: BroadcastSettings
    private let address: SRTAddress
    private var shortestWay: Duration?

    init(
        _ address: SRTAddress, _ streams: EncodedStreams, settings: BroadcastSettings, control: ReadControl
    ) throws(ObscuraError) {
        self.control = control
        self.settings = settings
        self.address = address
        let socket = try SRTSocket(address, settings: settings, control: control)
        self.socket = socket
        let log = FFmpegLog()
        guard
            let bytes = MessageBytes(
                size: SRTSocket.messageSize, { socket.send($0) ? Int32($0.count) : -EPIPE })
        else { throw .outOfMemory(.broadcast, address.name) }
        self.bytes = bytes
        muxer = try BroadcastMuxer(
            .transportStream(.messages(bytes), protocols: []), streams, control: control, log: log,
            failure: { _ in .lost(address.name, control) })
    }

    func send(_ packet: EncodedPacket) throws(ObscuraError) {
        control.setDeadline(.now + settings.sendTimeout)
        defer { control.setDeadline(nil) }
        guard muxer.write(packet) >= 0, socket.isConnected else { throw lost }
    }

    func finish() throws(ObscuraError) {
        guard muxer.finish() >= 0 else { throw lost }
    }

    private var lost: ObscuraError {
        guard address.mode == .listener, !control.mustEnd else { return .lost(address.name, control) }
        return ObscuraError(
            .broadcast, .connectionLost, subject: address.name, reason: "the SRT caller has disconnected")
    }

    /// The state of the network. Data stays in libsrt's buffer until it is acknowledged, which takes at least one round
    /// trip: that amount does not count as waiting. The shortest round trip is used, since congestion makes them
    /// longer.
    var path: NetworkPath? {
        var path = socket.path
        if let way = path.roundTrip { shortestWay = shortestWay.map { min($0, way) } ?? way }
        path.unsentTime = path.unsentTime.map { max(.zero, $0 - (shortestWay ?? .zero)) }
        return path
    }
}

extension ObscuraError {
    /// The error for a connection that was lost or timed out.
    static func lost(_ subject: String, _ control: ReadControl, _ words: String? = nil) -> ObscuraError {
        if control.isCancelled { return .cancelled(.broadcast, subject) }
        return control.hasExpired
            ? ObscuraError(
                .broadcast, .timedOut, subject: subject, reason: "the receiver accepted no data in time",
                advice: "Check the network, or use a lower bit rate.", libraryMessage: words)
            : ObscuraError(
                .broadcast, .connectionLost, subject: subject, reason: "the connection was lost", libraryMessage: words)
    }
}
