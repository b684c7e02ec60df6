// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CRTSPServer
internal import ObscuraBase
internal import ObscuraFFmpeg
internal import ObscuraMedia
internal import ObscuraMovies

/// The RTSP server on this host, and its viewers.
///
/// Never blocks: the server has a queue for each viewer, and drops frames for a slow one.
final class RTSPServerTransport: BroadcastTransport {
    private let functions: RTSPFunctions
    private let server: OpaquePointer
    private let name: String
    private let parameterSets: [UInt8]
    private let places: [ResourceBudget.Places]
    /// The file descriptors that a UDP viewer needs within GStreamer and GLib, for each of the two sessions that it may
    /// have briefly: 28 descriptors and 10 threads, as measured, with a margin.
    private static let descriptorsOfViewer = 60
    private static let threadsOfViewer = 24

    init(
        _ address: RTSPServerAddress, _ streams: EncodedStreams, settings: BroadcastSettings
    ) throws(ObscuraError) {
        name = address.name
        functions = try GStreamer.functions()
        parameterSets = streams.video?.sets ?? []
        let descriptors = ResourceBudget.descriptors.take(settings.viewerLimit, each: Self.descriptorsOfViewer)
        guard descriptors.count > 0 else {
            throw Self.lack(address, "the limit of open files is too low", .openFiles)
        }
        let threads = ResourceBudget.threads.take(descriptors.count, each: Self.threadsOfViewer)
        guard threads.count > 0 else {
            throw Self.lack(address, "the limit of threads is too low", .threads)
        }
        places = [descriptors, threads]
        server = try Self.open(address, streams, settings, places: threads.count, functions).get()
    }

    deinit {
        functions.close(server)
    }

    func send(_ packet: EncodedPacket) throws(ObscuraError) {
        // Each key frame includes the parameter sets, for viewers that join later.
        let isSent = packet.withBytes(repeating: parameterSets) { bytes in
            guard let start = bytes.baseAddress else { return true }
            var packet = RTSPPacket(
                bytes: start, size: bytes.count, is_picture: packet.isVideo, is_key: packet.isKey,
                time: packet.time.nanoseconds, duration: packet.length.nanoseconds)
            return functions.send(server, &packet)
        }
        guard isSent else { throw .outOfMemory(.broadcast, name) }
    }

    /// Viewers notice the end when their connections are closed.
    func finish() throws(ObscuraError) {}

    /// Nil, because each viewer has its own connection.
    var path: NetworkPath? { nil }

    var viewerCount: Int? { Int(functions.viewers(server)) }

    func takeKeyFrameWish() -> Bool { functions.take_key_frame_wish(server) }

    // MARK: Opening

    private static func open(
        _ address: RTSPServerAddress, _ streams: EncodedStreams, _ settings: BroadcastSettings, places: Int,
        _ functions: RTSPFunctions
    ) -> Result<OpaquePointer, ObscuraError> {
        let sound = streams.sound
        var failure = RTSPFailure.none
        var words = [CChar](repeating: 0, count: Int(RTSPWordsCapacity))
        let host = address.host.isEmpty ? "0.0.0.0" : address.host
        let made = withOptional(address.user, address.password) { user, password in
            host.withCString { host in
                address.path.withCString { path in
                    (sound?.extraData ?? []).withUnsafeBufferPointer { configuration in
                        var settings = RTSPSettings(
                            address: host, port: UInt16(address.port), path: path, user: user, password: password,
                            has_pictures: streams.hasVideo, is_hevc: streams.video?.codec == .hevc,
                            sample_rate: sound?.sampleRate ?? 0, channels: sound?.channelCount ?? 0,
                            sound_configuration: configuration.baseAddress,
                            sound_configuration_size: configuration.count,
                            most_clients: Int32(clamping: places),
                            patience_ms: milliseconds(settings.sendTimeout),
                            queue_limit_ms: milliseconds(settings.queueLimit))
                        return functions.open(&settings, &failure, &words)
                    }
                }
            }
        }
        guard let made else { return .failure(Self.error(failure, words, address)) }
        return .success(made)
    }

    private static func lack(_ address: RTSPServerAddress, _ reason: String, _ limit: Remedy.Limit) -> ObscuraError {
        ObscuraError(
            .broadcast, .connectionFailed, subject: address.name, reason: "\(reason) for even one viewer",
            remedy: .raiseLimit(limit))
    }

    private static func milliseconds(_ time: Duration) -> Int32 { Int32(time / .milliseconds(1)) }

    /// Passes both as C strings, or nil.
    private static func withOptional<R>(
        _ first: String?, _ second: String?, _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> R
    ) -> R {
        guard let first, let second else { return body(nil, nil) }
        return first.withCString { first in second.withCString { second in body(first, second) } }
    }

    private static func error(
        _ failure: RTSPFailure, _ words: [CChar], _ address: RTSPServerAddress
    ) -> ObscuraError {
        let bytes = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let said = bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        switch failure {
        case .partMissing:
            return ObscuraError(
                .broadcast, .connectionFailed, subject: address.name,
                reason: "GStreamer's element \(said ?? "") is not installed",
                remedy: .installPackages(GStreamer.plugins))
        case .address:
            return ObscuraError(
                .broadcast, .connectionFailed, subject: address.name, reason: "cannot listen on this address",
                advice: "Use an address of this machine, and a port that no other program uses.",
                libraryMessage: said)
        case .none, .other:
            return ObscuraError(
                .broadcast, .connectionFailed, subject: address.name, reason: "the RTSP server could not be started",
                libraryMessage: said)
        }
    }
}
