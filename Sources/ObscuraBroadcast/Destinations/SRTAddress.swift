// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// An SRT address: `srt://host:port?mode=caller&latency=120&passphrase=…&pbkeylen=16&streamid=…`.
///
/// The option names are those of libsrt's own tools (docs/apps/srt-live-transmit.md); times are in milliseconds.
/// Without a host it listens.
struct SRTAddress: Sendable, Hashable {
    /// The side that opens the connection.
    enum Mode: String, Sendable, Hashable, CaseIterable {
        /// This host calls a listener.
        case caller
        /// This host waits for a caller.
        case listener
    }

    /// The remote host; for a listener, the local address, empty for all.
    let host: String
    /// The port, from 1 to 65535.
    let port: Int
    /// The side that opens the connection.
    let mode: Mode
    /// Time for retransmitting lost packets, in milliseconds: the greater value of both sides counts (default: 120).
    /// With less than four round trips, losses become visible.
    let latency: Int
    /// Passphrase of 10 to 79 bytes, which must be the same on both sides; nil for no encryption.
    let passphrase: String?
    /// Length of the encryption key in bytes: 16, 24 or 32.
    let keyLength: Int
    /// Identifier of the stream or the sender for the listener; only for a caller.
    let streamID: String?

    static let defaultLatency = 120

    init(_ address: NetworkAddress) throws(ObscuraError) {
        let name = "srt://\(address.place)"
        guard let place = address.hostAndPort, let port = place.port else {
            throw .invalidAddress(
                name, "the port is missing, or is not a number from 1 to 65535", "Write srt://host:port.")
        }
        (host, self.port) = (place.host, port)
        guard let items = address.items else { throw .invalidAddress(name, "the options after ? are malformed") }
        var mode = host.isEmpty ? Mode.listener : .caller
        var latency = Self.defaultLatency
        var passphrase: String?
        var keyLength = 16
        var streamID: String?
        for (item, value) in items {
            switch item.lowercased() {
            case "mode":
                guard let wanted = Mode(rawValue: value.lowercased()) else {
                    throw .invalidAddress(name, "mode \(value) does not exist", "Write mode=caller or mode=listener.")
                }
                mode = wanted
            case "latency":
                guard let count = Int(value), (0...10_000).contains(count) else {
                    throw .invalidAddress(
                        name, "the latency must be 0 to 10,000 milliseconds, not \(value)",
                        "Write milliseconds: latency=120, not latency=120000 as for FFmpeg.")
                }
                latency = count
            case "passphrase":
                guard (10...79).contains(value.utf8.count) else {
                    throw .invalidAddress(name, "the passphrase must have 10 to 79 bytes, not \(value.utf8.count)")
                }
                passphrase = value
            case "pbkeylen":
                guard let count = Int(value), [16, 24, 32].contains(count) else {
                    throw .invalidAddress(name, "the key length (pbkeylen) must be 16, 24 or 32 bytes, not \(value)")
                }
                keyLength = count
            case "streamid":
                guard (1...512).contains(value.utf8.count) else {
                    throw .invalidAddress(name, "the stream ID must have 1 to 512 bytes, not \(value.utf8.count)")
                }
                streamID = value
            default:
                throw .invalidAddress(
                    name, "it has an unknown option",
                    "The options are mode, latency, passphrase, pbkeylen and streamid. Write & in a value as %26.")
            }
        }
        guard mode == .listener || !host.isEmpty else {
            throw .invalidAddress(name, "the host of the listener is missing", "Write srt://host:port.")
        }
        guard mode == .caller || streamID == nil else {
            throw .invalidAddress(
                name, "a listener cannot have a stream ID, because the caller sends it",
                "Remove streamid, or use a passphrase.")
        }
        (self.mode, self.latency, self.passphrase) = (mode, latency, passphrase)
        (self.keyLength, self.streamID) = (keyLength, streamID)
    }

    /// The name for display. A stream ID is often a key, so it is not included either.
    var name: String {
        "srt://\(HostAndPort(host: host, port: port))\(mode == .listener && !host.isEmpty ? "?mode=listener" : "")"
    }
}
