// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The location of a movie, and the protocols that reading it may use.
///
/// Text that begins with `scheme://` is a URL, which must have a ``Scheme`` or be a file URL. Any other text is a path,
/// and is opened as a file of exactly that name: `concat:/etc/passwd` is a nonexistent file, not a protocol.
enum MovieLocation: Sendable, Hashable {
    case file(path: String)
    case network(url: String, Scheme)

    /// The supported protocols.
    enum Scheme: String, CaseIterable, Sendable {
        case http, https, rtsp, rtsps, rtp, udp, tcp, srt, rtmp, rtmps, rtmpt, rtmpe

        /// The protocols that FFmpeg may open while it reads such a URL, including playlists and redirections.
        var protocolWhitelist: String {
            switch self {
            case .http, .https: "http,https,tcp,tls,crypto,httpproxy"
            case .rtsp, .rtsps: "rtsp,rtsps,rtp,srtp,udp,tcp,tls"
            case .rtp: "rtp,srtp,udp"
            case .udp: "udp"
            case .tcp: "tcp"
            case .srt: "srt"
            case .rtmp: "rtmp,tcp"
            case .rtmps: "rtmps,tls,tcp"
            case .rtmpt: "rtmpt,ffrtmphttp,http,tcp"
            case .rtmpe: "rtmpe,ffrtmpcrypt,tcp"
            }
        }

        /// Whether the connection uses TLS.
        var isSecure: Bool { self == .https || self == .rtmps || self == .rtsps }

        var isRTSP: Bool { self == .rtsp || self == .rtsps }

        /// Whether such URLs are always live streams.
        var isAlwaysLive: Bool { self != .http && self != .https }
    }

    init(_ text: String) throws(ObscuraError) {
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw ObscuraError(
                .movies, .notFound, subject: "movie", reason: "the path is empty or contains a zero byte")
        }
        guard let scheme = NetworkAddress(text)?.scheme else {
            self = .file(path: text)
            return
        }
        if scheme == "file" {
            self = .file(path: try Self.path(ofFileURL: text))
        } else if let known = Scheme(rawValue: scheme) {
            if known.isRTSP, let option = RTSPTransport.split(text).option, RTSPTransport(rawValue: option) == nil {
                throw ObscuraError(
                    .movies, .invalidRequest, subject: AddressMask.masked(address: text),
                    reason: "transport=\(option) is not supported", advice: RTSPTransport.advice)
            }
            self = .network(url: text, known)
        } else {
            let names = (["file"] + Scheme.allCases.map(\.rawValue)).map { "\($0)://" }.joined(separator: ", ")
            throw ObscuraError(
                .movies, .unsupportedProtocol, subject: text, reason: "the protocol \(scheme) is not supported",
                advice: "Use a path or a URL with one of \(names).")
        }
    }

    /// A description without the password.
    var description: String {
        switch self {
        case .file(let path): path
        case .network(let url, _): AddressMask.masked(address: url)
        }
    }

    /// The last path component, or the URL without its password.
    var name: String {
        switch self {
        case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .network: description
        }
    }

    var isAlwaysLive: Bool {
        if case .network(_, let scheme) = self { scheme.isAlwaysLive } else { false }
    }

    /// Whether it is a URL of RTSP without an option for the transport.
    var choosesTransport: Bool {
        guard case .network(let url, let scheme) = self else { return false }
        return scheme.isRTSP && RTSPTransport.split(url).option == nil
    }

    /// Whether packets that have not been read yet are kept by TCP, unless the server offers only UDP.
    var isByTCP: Bool {
        guard case .network(let url, let scheme) = self else { return false }
        return switch scheme {
        case .rtsp, .rtsps: RTSPTransport.split(url).option.flatMap(RTSPTransport.init) != .udp
        case .tcp, .rtmp, .rtmps, .rtmpe: true
        case .http, .https, .rtp, .udp, .srt, .rtmpt: false
        }
    }

    /// Whether it is a file that can be opened repeatedly, not a pipe. True for a nonexistent file, so that opening it
    /// reports the error.
    var isRegularFile: Bool {
        guard case .file(let path) = self else { return false }
        return (try? FileStatus(path: path))?.kind != .pipe
    }

    var isNetwork: Bool {
        if case .network = self { true } else { false }
    }

    /// Whether the text is a URL of a network, also an invalid one.
    static func isNetwork(_ text: String) -> Bool { (try? MovieLocation(text))?.isNetwork ?? false }

    private static func path(ofFileURL text: String) throws(ObscuraError) -> String {
        let rest = text.dropFirst("file://".count)
        guard let path = PercentCoding.decoded(rest.hasPrefix("localhost/") ? rest.dropFirst("localhost".count) : rest)
        else { throw ObscuraError(.movies, .notFound, subject: text, reason: "it is a malformed file URL") }
        guard path.hasPrefix("/") else {
            throw ObscuraError(
                .movies, .notFound, subject: text, reason: "a file URL must not contain the name of another host",
                advice: "Write file:///path, with three slashes.")
        }
        return path
    }
}
