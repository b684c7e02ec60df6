// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// Where a broadcast goes.
///
/// | address | is |
/// | --- | --- |
/// | `rtmp://host/app/key`, `rtmps://…` | a server that takes RTMP, such as that of a streaming platform or nginx |
/// | `rtsp://host:8554/path` | a server that takes RTSP; `?transport=udp` for RTP over UDP; without TLS |
/// | `rtsp://:8554/live` | whoever asks: this machine is an RTSP server itself |
/// | `srt://host:9000` | a listener that takes SRT |
/// | `srt://:9000` | whoever calls this machine by SRT, one at a time |
/// | `udp://host:1234` | MPEG-TS over UDP, also to a group (multicast) |
/// | `folder/live.m3u8` | HLS in a folder that a web server serves: the master list, and beside it all the rest |
/// | `movie.mp4`, `.mov`, `.mkv` | a movie, of the very same compressed pictures |
///
/// The RTSP server sends RTP over TCP and UDP to as many as ``BroadcastSettings/viewerLimit`` lets in. Those who watch
/// `rtsp://name:password@:8554/live` must know name and password (digest authentication); a viewer who takes too little
/// loses pictures, and disturbs nobody. It listens on all IPv4 addresses of the machine, and with
/// `rtsp://192.168.0.5:8554/live?mode=listener` on that alone. The trait `RTSPServer` of the package has it.
///
/// HLS deletes segments that have left the playlist. If the folder is deleted or the disk is full, it reconnects until
/// the broadcast ends, as with a lost server; segment numbers and times continue. Another broadcast to the same folder
/// starts at segment 0; existing files are replaced or stay.
///
/// SRT knows the options of libsrt's own tools: `?mode=caller` or `listener`, `latency=` (milliseconds, 120 unless
/// given), `passphrase=` (10 to 79 bytes), `pbkeylen=` (16, 24 or 32) and `streamid=`.
///
/// Stream keys and passwords in addresses are for the server alone: no text of Obscura's shows them.
public struct BroadcastDestination: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// What speaks to a destination.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        case rtmp, rtsp, srt, udp, hls, movie
    }

    /// The address as it was given, with all that is secret in it. Not for logs.
    public let address: String
    /// The address for people: stream keys and passwords are masked.
    public let name: String
    /// What speaks to it.
    public let kind: Kind
    /// Whether a server that is not there yet is waited for, as one that goes away later always is. Without it the
    /// first attempt decides.
    public var startsWhenAvailable: Bool
    /// Whether a movie of the same name may be replaced.
    public var overwrites = false
    /// Whether a missing HLS folder is created; false if the HLS server creates it, with its own permissions.
    package var makesFolder = true
    let target: BroadcastTarget

    /// - Parameters:
    ///   - address: see the table above.
    ///   - startsWhenAvailable: whether a server that is not there yet is waited for.
    /// - Throws: ``ObscuraError/Code/invalidAddress``, with what the address lacks.
    public init(_ address: String, startsWhenAvailable: Bool = false) throws(ObscuraError) {
        try self.init(address, name: nil)
        self.startsWhenAvailable = startsWhenAvailable
    }

    /// - Parameter name: for people, where the address is a thing of ours; nil makes one of the address.
    package init(_ address: String, name: String?) throws(ObscuraError) {
        self.address = address
        startsWhenAvailable = false
        target = try BroadcastTarget(address)
        self.name = name ?? target.name
        kind = target.kind
    }

    /// This machine as an RTSP server.
    ///
    /// - Parameters:
    ///   - place: `:8554` for all IPv4 addresses of this machine, or one of them with the port, such as
    ///     `127.0.0.1:8554`; and a path, `/live` unless given.
    ///   - user: who may watch, and with which `password`; nil lets everybody.
    /// - Throws: ``ObscuraError/Code/invalidAddress``.
    public static func rtspServer(
        at place: String = ":8554", user: String? = nil, password: String? = nil
    ) throws(ObscuraError) -> BroadcastDestination {
        guard (user == nil) == (password == nil) else {
            throw .invalidAddress(place, "name and password go together", "Give both, or none for everybody.")
        }
        let login = [user, password].compactMap(\.self).map { PercentCoding.encoded($0) }.joined(separator: ":")
        guard !place.contains("@"), !place.contains("?"), !place.contains("://") else {
            // A password may stand in it.
            throw .invalidAddress(
                place.contains("@") || place.contains("?") ? "RTSP server" : place,
                "that is no address of this machine with a port alone",
                "Write :8554 or :8554/path; who may watch is said apart from it.")
        }
        return try BroadcastDestination("rtsp://\(login)\(login.isEmpty ? "" : "@")\(place)?mode=listener")
    }

    /// Where a player on this machine finds what this machine itself serves by RTSP, such as
    /// `rtsp://127.0.0.1:8554/live`; nil for all others.
    public var servedAddress: String? {
        if case .rtspServer(let address) = target { address.localAddress } else { nil }
    }

    /// Whether other machines can reach what is served at ``servedAddress``.
    public var servesNetwork: Bool {
        if case .rtspServer(let address) = target { !address.isLoopback } else { false }
    }

    /// Its name: what is secret in the address is not printed.
    public var description: String { name }

    /// The name alone: what is secret in the address is not dumped.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }

    /// Two are the same when their addresses are.
    public static func == (lhs: BroadcastDestination, rhs: BroadcastDestination) -> Bool {
        lhs.address == rhs.address
    }

    /// By the address, as ``==(_:_:)`` compares.
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
