// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// Where a movie lies, and what reading it may touch.
///
/// Only the addresses of ``Scheme`` are addresses; every other text is a path and is opened as a file of
/// exactly that name. So `concat:/etc/passwd` is a file that does not exist, and not a protocol.
enum MovieLocation: Sendable, Hashable {
    case file(path: String)
    case network(url: String, Scheme)

    /// The protocols that are served.
    enum Scheme: String, CaseIterable, Sendable {
        case http, https, rtsp, rtsps, rtp, udp, tcp, srt, rtmp, rtmps, rtmpt, rtmpe

        /// What FFmpeg may open while it reads such an address, playlists and redirections included.
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

        /// Whether it is spoken within TLS.
        var isSecure: Bool { self == .https || self == .rtmps || self == .rtsps }

        /// Whether such an address is a stream without beginning and end.
        var isAlwaysLive: Bool { self != .http && self != .https }
    }

    init(_ text: String) throws(ObscuraError) {
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw ObscuraError(.movies, .notFound, subject: "movie", reason: "its name is empty or has a zero byte")
        }
        guard let separator = text.firstRange(of: "://"), let scheme = Self.scheme(text[..<separator.lowerBound])
        else {
            self = .file(path: text)
            return
        }
        if scheme == "file" {
            self = .file(path: try Self.path(ofFileURL: text[separator.upperBound...], text))
        } else if let known = Scheme(rawValue: scheme) {
            self = .network(url: text, known)
        } else {
            let names = (["file"] + Scheme.allCases.map(\.rawValue)).map { "\($0)://" }.joined(separator: ", ")
            throw ObscuraError(
                .movies, .unsupportedProtocol, subject: text, reason: "the protocol \(scheme) is not served",
                advice: "Give a path or one of \(names).")
        }
    }

    /// The location for people, without its password.
    var description: String {
        switch self {
        case .file(let path): path
        case .network(let url, _): AddressMask.masked(address: url)
        }
    }

    /// The last part of a path, or the address without its password.
    var name: String {
        switch self {
        case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .network: description
        }
    }

    var isAlwaysLive: Bool {
        if case .network(_, let scheme) = self { scheme.isAlwaysLive } else { false }
    }

    /// Whether it is a file that can be opened again and again, and not a pipe. A file that is not there
    /// counts as one, so that the opening tells what is wrong.
    var isRegularFile: Bool {
        guard case .file(let path) = self else { return false }
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFIFO
    }

    var isNetwork: Bool {
        if case .network = self { true } else { false }
    }

    /// The lower-case scheme, if the text has the form of one (RFC 3986, section 3.1).
    private static func scheme(_ text: Substring) -> String? {
        guard let first = text.first, first.isASCII, first.isLetter,
            text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return text.lowercased()
    }

    private static func path(ofFileURL rest: Substring, _ text: String) throws(ObscuraError) -> String {
        let path = rest.hasPrefix("localhost/") ? rest.dropFirst("localhost".count) : rest
        var bytes: [UInt8] = []
        var remaining = path.utf8[...]
        while let byte = remaining.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = remaining.prefix(2)
            remaining = remaining.dropFirst(2)
            guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value > 0
            else {
                throw ObscuraError(.movies, .notFound, subject: text, reason: "it is not a well-formed file address")
            }
            bytes.append(value)
        }
        guard bytes.first == UInt8(ascii: "/") else {
            throw ObscuraError(
                .movies, .notFound, subject: text, reason: "it names a file of another machine",
                advice: "Write file:///path, with three slashes.")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
