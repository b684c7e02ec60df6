// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// A destination of a broadcast: a server, a folder or a file.
///
/// | address | destination |
/// | --- | --- |
/// | `rtmp://host/app/key`, `rtmps://…` | an RTMP server, such as that of a streaming platform or nginx |
/// | `rtsp://host:8554/path` | an RTSP server, without TLS; `?transport=udp` selects RTP over UDP |
/// | `rtsp://:8554/live` | an RTSP server on this host, to which viewers connect |
/// | `srt://host:9000` | an SRT listener on another host |
/// | `srt://:9000` | an SRT listener on this host, for one caller at a time |
/// | `udp://host:1234` | MPEG-TS over UDP, unicast or multicast |
/// | `folder/live.m3u8` | HLS files in a folder, for a web server; the address is the path of the master playlist |
/// | `movie.mp4`, `.mov`, `.mkv` | a movie file with the compressed frames of the broadcast |
///
/// The RTSP server on this host sends RTP over TCP and UDP to at most ``BroadcastSettings/viewerLimit`` viewers.
/// Viewers of `rtsp://name:password@:8554/live` need the user name and the password (digest authentication). Frames are
/// dropped for a slow viewer, without affecting the other viewers. The server listens on all IPv4 addresses of the
/// host; `rtsp://192.168.0.5:8554/live?mode=listener` selects a single address. The RTSP server requires the package
/// product `ObscuraRTSPServer`; without this product, starting the server fails with
/// ``ObscuraError/Code/libraryMissing``.
///
/// HLS segments that have left the playlist are deleted. If the folder is deleted or the disk is full, writing is
/// retried until the broadcast ends, and segment numbers and times continue. Another broadcast to the same folder
/// starts at segment 0: files with the same names are replaced, and other files remain.
///
/// SRT accepts the options of libsrt's own tools: `?mode=caller` or `listener`, `latency=` (milliseconds, default:
/// 120), `passphrase=` (10 to 79 bytes), `pbkeylen=` (16, 24 or 32) and `streamid=`.
///
/// Stream keys and passwords in addresses are sent only to the server; Obscura never includes them in messages.
public struct BroadcastDestination: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The protocol or format of a destination.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        /// An RTMP or RTMPS server.
        case rtmp
        /// An RTSP server on another host, or on this host.
        case rtsp
        /// MPEG-TS over SRT, as caller or listener.
        case srt
        /// MPEG-TS over UDP.
        case udp
        /// HLS: a playlist and segments in a folder.
        case hls
        /// A movie file.
        case movie
    }

    /// The address as given, including secrets. Not for logs.
    public let address: String
    /// The address for display: stream keys and passwords are masked.
    public let name: String
    /// The protocol or format.
    public let kind: Kind
    /// Whether the first connection is retried if the server is not available. If false, the destination fails after
    /// the first attempt. A connection that is lost later is always retried.
    public var startsWhenAvailable: Bool
    /// Whether an existing movie of the same name is replaced.
    public var overwrites = false
    /// Whether a missing HLS folder is created; false if the HLS server creates it, with its own permissions.
    package var makesFolder = true
    let target: BroadcastTarget

    /// Creates a destination.
    ///
    /// - Parameters:
    ///   - address: an address in one of the forms of the table in ``BroadcastDestination``.
    ///   - startsWhenAvailable: whether the first connection is retried if the server is not available.
    /// - Throws: ``ObscuraError/Code/invalidAddress`` with the reason.
    public init(_ address: String, startsWhenAvailable: Bool = false) throws(ObscuraError) {
        try self.init(address, name: nil)
        self.startsWhenAvailable = startsWhenAvailable
    }

    /// - Parameter name: display name, for internal addresses; nil derives it from the address.
    package init(_ address: String, name: String?) throws(ObscuraError) {
        self.address = address
        startsWhenAvailable = false
        target = try BroadcastTarget(address)
        self.name = name ?? target.name
        kind = target.kind
    }

    /// Creates a destination that serves RTSP on this host.
    ///
    /// - Parameters:
    ///   - place: `:8554` for all IPv4 addresses of this host, or a single address with the port, such as
    /// `127.0.0.1:8554`; optionally followed by a path (default: `/live`).
    ///   - user: user name that viewers need, together with `password`; nil for unrestricted access.
    ///   - password: password of viewers; at least 8 characters if other hosts can reach the address.
    /// - Throws: ``ObscuraError/Code/invalidAddress``.
    public static func rtspServer(
        at place: String = ":8554", user: String? = nil, password: String? = nil
    ) throws(ObscuraError) -> BroadcastDestination {
        guard (user == nil) == (password == nil) else {
            throw .invalidAddress(
                place, "only one of the user name and the password is set",
                "Set both, or neither for unrestricted access.")
        }
        let login = [user, password].compactMap(\.self).map { PercentCoding.encoded($0) }.joined(separator: ":")
        guard !place.contains("@"), !place.contains("?"), !place.contains("://") else {
            // The text may contain a password.
            throw .invalidAddress(
                place.contains("@") || place.contains("?") ? "RTSP server" : place,
                "the address must not contain a user name, options or a protocol",
                "Write :8554 or :8554/path, and pass the user name and the password separately.")
        }
        return try BroadcastDestination("rtsp://\(login)\(login.isEmpty ? "" : "@")\(place)?mode=listener")
    }

    /// The URL at which players on this host open the stream, such as `rtsp://127.0.0.1:8554/live`. Nil if the
    /// destination is not an RTSP server on this host.
    public var servedAddress: String? {
        if case .rtspServer(let address) = target { address.localAddress } else { nil }
    }

    /// Whether the destination is an RTSP server on this host that other hosts can reach.
    public var servesNetwork: Bool {
        if case .rtspServer(let address) = target { !address.isLoopback } else { false }
    }

    /// The display name, without secrets.
    public var description: String { name }

    /// A mirror with the display name only, so that dumps contain no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }

    /// Whether two destinations have the same address.
    public static func == (lhs: BroadcastDestination, rhs: BroadcastDestination) -> Bool {
        lhs.address == rhs.address
    }

    /// Hashes the address, consistent with ``==(_:_:)``.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(address)
    }
}

extension BroadcastTarget {
    var kind: BroadcastDestination.Kind {
        switch self {
        case .rtmp: .rtmp
        case .rtsp, .rtspServer: .rtsp
        case .srt: .srt
        case .udp: .udp
        case .hls: .hls
        case .movie: .movie
        }
    }
}
