// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia
internal import ObscuraMovies

/// The parsed address of a broadcast.
enum BroadcastTarget: Sendable, Hashable {
    case rtmp(url: String, isSecure: Bool)
    case rtsp(url: String, transport: RTSPTransport)
    /// An RTSP server on this host.
    case rtspServer(RTSPServerAddress)
    case srt(SRTAddress)
    case udp(url: String)
    /// HLS, with the path of the master playlist.
    case hls(path: String)
    case movie(path: String, MovieContainer)

    init(_ address: String) throws(ObscuraError) {
        guard !address.isEmpty, !address.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
            throw .invalidAddress("destination", "the address is empty or contains a control character")
        }
        guard let parts = NetworkAddress(address) else {
            guard !address.contains("://") else {
                throw .invalidAddress("destination", "the text before :// is not a protocol name")
            }
            self = try Self.file(address)
            return
        }
        switch parts.scheme {
        case "rtmp", "rtmps":
            self = try Self.rtmp(address, parts)
        case "rtsp":
            let isServer = RTSPServerAddress.isMeant(by: parts)
            self = isServer ? .rtspServer(try RTSPServerAddress(parts)) : try Self.rtsp(address, parts)
        case "rtsps":
            // FFmpeg's RTSP does not verify certificates: an attacker on the network could read the video and the
            // password.
            throw .invalidAddress(
                AddressMask.masked(address: address),
                "RTSP over TLS is not supported, because FFmpeg does not verify the certificates of RTSP servers",
                "Use rtmps://, srt:// with a passphrase, or rtsp:// on a network that you trust.")
        case "srt": self = .srt(try SRTAddress(parts))
        case "udp":
            try Self.checkHost(address, parts)
            guard parts.hostAndPort?.port != nil else {
                throw .invalidAddress(AddressMask.masked(address: address), "it has no port", "Write udp://host:port.")
            }
            guard parts.user == nil, parts.path.isEmpty || parts.path == "/" else {
                throw .invalidAddress(
                    Self.withoutPath(parts), "a UDP address must not contain a user name or a path",
                    "Write udp://host:port.")
            }
            let others = Set((parts.items ?? []).map(\.name)).subtracting(Self.udpOptions)
            guard parts.items != nil, others.isEmpty else {
                throw .invalidAddress(
                    "udp://\(parts.place)", "it has an unknown option",
                    "The options are \(Self.udpOptions.sorted().joined(separator: ", ")).")
            }
            self = .udp(url: address)
        case "http", "https":
            throw .invalidAddress(
                Self.withoutPath(parts), "a broadcast cannot be sent to a web server",
                "Write HLS to a folder that the server serves: folder/live.m3u8.")
        default:
            throw .invalidAddress(
                Self.withoutPath(parts), "the protocol \(parts.scheme) is not supported",
                "Use rtmp://, rtmps://, rtsp://, srt:// or udp://, or the path of an .m3u8 playlist or of an .mp4, "
                    + ".mov or .mkv movie.")
        }
    }

    /// The name for display, without secrets.
    var name: String {
        switch self {
        case .rtmp(let url, _): Self.withoutKey(url)
        case .rtsp(let url, _): AddressMask.masked(address: url)
        case .rtspServer(let address): address.name
        case .srt(let address): address.name
        case .udp(let url): AddressMask.masked(address: url)
        case .hls(let path), .movie(let path, _): path
        }
    }

    /// The secrets, which are removed from messages of libraries.
    var secrets: [String] {
        switch self {
        case .rtmp(let url, _), .rtsp(let url, _):
            let parts = NetworkAddress(url)
            let key = kind == .rtmp ? parts.flatMap(Self.key) : nil
            return [parts?.password, key, parts?.query].compactMap(\.self).filter { !$0.isEmpty }
        case .srt(let address): return [address.passphrase, address.streamID].compactMap(\.self)
        case .rtspServer(let address): return [address.password].compactMap(\.self)
        case .udp, .hls, .movie: return []
        }
    }

    /// The host name; nil for a file.
    var host: String? {
        switch self {
        case .rtmp(let url, _), .rtsp(let url, _), .udp(let url): NetworkAddress(url)?.hostAndPort?.host
        case .srt(let address): address.host
        case .rtspServer, .hls, .movie: nil
        }
    }

    /// The port of the TCP connection; nil for other protocols.
    var port: Int? {
        switch self {
        case .rtmp(let url, let isSecure): NetworkAddress(url)?.hostAndPort?.port ?? (isSecure ? 443 : 1935)
        case .rtsp(let url, _): NetworkAddress(url)?.hostAndPort?.port ?? 554
        case .rtspServer, .srt, .udp, .hls, .movie: nil
        }
    }

    /// Whether it waits for incoming connections.
    var isListener: Bool {
        switch self {
        case .srt(let address): address.mode == .listener
        case .rtspServer: true
        case .rtmp, .rtsp, .udp, .hls, .movie: false
        }
    }

    /// Whether it works without a remote server.
    var needsNobody: Bool {
        switch self {
        case .rtspServer, .udp, .hls, .movie: true
        case .rtmp, .rtsp, .srt: false
        }
    }

    // MARK: Protocols

    /// FFmpeg's options that are useful for a sender (https://ffmpeg.org/ffmpeg-protocols.html#udp).
    private static let udpOptions: Set = [
        "broadcast", "buffer_size", "localaddr", "localport", "pkt_size", "reuse", "ttl",
    ]

    private static func rtmp(_ address: String, _ parts: NetworkAddress) throws(ObscuraError) -> BroadcastTarget {
        try checkHost(address, parts)
        let path = parts.path.split(separator: "/", omittingEmptySubsequences: true)
        guard path.count >= 2 else {
            throw .invalidAddress(
                withoutPath(parts), "it has \(path.isEmpty ? "no application and no" : "no") stream key",
                "Write rtmp://host/application/key, as shown by the platform.")
        }
        guard parts.scheme != "rtmps" || parts.user == nil else {
            // FFmpeg connects a second time to send them, without the options for certificates.
            throw .invalidAddress(
                withoutKey(address),
                "FFmpeg does not verify the certificates of RTMP servers that require a user name and a password",
                "Remove the user name and the password, or use srt:// with a passphrase.")
        }
        // FFmpeg recognizes RTMP schemes only in lowercase.
        let url = parts.scheme + address.dropFirst(parts.scheme.count)
        return .rtmp(url: url, isSecure: parts.scheme == "rtmps")
    }

    private static func rtsp(_ address: String, _ parts: NetworkAddress) throws(ObscuraError) -> BroadcastTarget {
        try checkHost(address, parts)
        let (url, option) = RTSPTransport.split(address)
        guard let transport = RTSPTransport(rawValue: option ?? "tcp") else {
            throw .invalidAddress(
                AddressMask.masked(address: address), "transport=\(option ?? "") is not supported", RTSPTransport.advice
            )
        }
        return .rtsp(url: url, transport: transport)
    }

    private static func file(_ path: String) throws(ObscuraError) -> BroadcastTarget {
        if path.lowercased().hasSuffix(".m3u8") {
            // FFmpeg inserts numbers there, and cannot escape a % sign.
            guard !path.contains("%") else {
                throw .invalidAddress(
                    path, "FFmpeg replaces % in the path with a segment number", "Choose a path without %.")
            }
            return .hls(path: path)
        }
        if let container = MovieContainer(path: path) { return .movie(path: path, container) }
        // A server address with a misspelled scheme may end with a key.
        let first = path.prefix { $0 != "/" && $0 != "?" }
        let isPlain = first.isEmpty || first.hasPrefix(".") || first.count == path.count
        throw .invalidAddress(
            isPlain ? path : "\(first)/***", "it is neither an address nor a path with a known extension",
            "Use rtmp://, rtsp://, srt:// or udp://, or a path that ends with .m3u8, .mp4, .mov or .mkv.")
    }

    private static func checkHost(_ address: String, _ parts: NetworkAddress) throws(ObscuraError) {
        guard let place = parts.hostAndPort else {
            throw .invalidAddress(
                withoutKey(address), "the port is not a number from 1 to 65535, or the IPv6 address is not in brackets")
        }
        guard !place.host.isEmpty else { throw .invalidAddress(withoutKey(address), "it has no host") }
    }

    // MARK: Secrets

    /// Returns the address with `***` for the credentials and the path: an invalid address may contain a key anywhere.
    private static func withoutPath(_ parts: NetworkAddress) -> String {
        let isMore = parts.path.count > 1 || parts.query != nil
        return "\(parts.scheme)://\(parts.user == nil ? "" : "***@")\(parts.place)\(isMore ? "/***" : "")"
    }

    /// The stream key of RTMP: everything after the application name.
    private static func key(_ parts: NetworkAddress) -> String? {
        let path = parts.path.split(separator: "/", omittingEmptySubsequences: true)
        return path.count > 1 ? path.dropFirst().joined(separator: "/") : nil
    }

    /// Returns the RTMP address with `***` for everything after the application name, where a key may be.
    private static func withoutKey(_ url: String) -> String {
        guard let parts = NetworkAddress(url), parts.scheme.hasPrefix("rtmp") else {
            return AddressMask.masked(address: url)
        }
        let user = parts.user.map { $0 + (parts.password == nil ? "@" : ":***@") } ?? ""
        let path = parts.path.split(separator: "/", omittingEmptySubsequences: true)
        let application = path.first.map { "/\($0)" } ?? ""
        return "\(parts.scheme)://\(user)\(parts.place)\(application)\(path.count > 1 ? "/***" : "")"
    }
}

extension ObscuraError {
    static func invalidAddress(_ address: String, _ reason: String, _ advice: String? = nil) -> ObscuraError {
        ObscuraError(.broadcast, .invalidAddress, subject: address, reason: reason, advice: advice)
    }
}
