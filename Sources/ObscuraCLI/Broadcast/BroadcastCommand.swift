// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Broadcasts a camera and a microphone live.
struct BroadcastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broadcast",
        abstract: "Broadcast a camera and a microphone live by RTMP, RTSP, SRT, UDP or HLS.",
        discussion: """
            The video is encoded once for all destinations. A slow or lost destination does not affect the others. \
            Lost connections are re-established. Keys and passwords are never shown. To keep them out of the shell \
            history, give the addresses on standard input, one per line, with --to -. Sources that have only sound, \
            such as 'microphone' and 'tone', work as well.

            Destinations:
              rtmp://host/app/key      a streaming platform, or a server such as nginx; also rtmps://
              rtsp://host:8554/path    an RTSP server that accepts streams
                                       (add ?transport=udp for RTP over UDP)
              rtsp://:8554/live        start an RTSP server on this machine, for players
              srt://host:9000          an SRT listener
                                       (options: ?latency=120&passphrase=SECRET&streamid=ID)
              srt://:9000              listen for SRT callers on this machine
              udp://239.0.0.1:1234     MPEG-TS to a host or a multicast group
              folder/live.m3u8         HLS files, for a web server
              movie.mp4                a movie of the same frames, as with --record

            With --json, each event is printed as it occurs, and the statistics once a second.

            Examples:
              obscura broadcast --to rtmp://live.example.com/app/key
              obscura broadcast camera:front --to srt://studio:9000 --record front.mp4
              obscura broadcast pattern --to udp://127.0.0.1:1234 --duration 10s --json
            """)

    @Option(
        help: ArgumentHelp(
            "Destination, such as rtmp://host/app/key; may be repeated.",
            discussion: "With --to -, the addresses are read from standard input, one per line.",
            valueName: "address"))
    var to: [String] = []

    @OptionGroup
    var options: BroadcastOptions

    @Option(
        help: ArgumentHelp(
            "PEM file with the certificate of the authority that signed the certificates of rtmps:// servers.",
            discussion: "Default: the certificate authorities of the system.", valueName: "file"))
    var ca: String?

    func validate() throws {
        if to.isEmpty, options.record.isEmpty {
            throw ValidationError("Give a destination: --to rtmp://host/app/key.")
        }
        // Addresses on standard input are validated when they are read.
        _ = try destinations(to.filter { $0 != "-" })
    }

    func run() async throws {
        var addresses: [String] = []
        for address in to {
            guard address == "-" else {
                addresses.append(address)
                continue
            }
            while let line = readLine() {
                var line = line.drop(while: \.isWhitespace)
                while line.last?.isWhitespace == true { line.removeLast() }
                if !line.isEmpty { addresses.append(String(line)) }
            }
        }
        if addresses.isEmpty, options.record.isEmpty {
            throw ValidationError("Standard input contains no address. Give one address per line.")
        }
        let destinations = try destinations(addresses)
        ProcessTitle.conceal(destinations.filter { $0.name != $0.address }.map(\.address))
        let settings = try settings()
        try await options.serveMetrics { try await Broadcasting(options, to: destinations, settings: settings).run() }
    }

    /// - Throws: `ValidationError`.
    func settings() throws -> BroadcastSettings {
        var settings = try options.settings()
        settings.trustedCertificates = ca
        return settings
    }

    /// - Throws: `ValidationError`.
    func destinations(_ addresses: [String]) throws -> [BroadcastDestination] {
        try options.destinations(
            addresses.map { try BroadcastDestination(argument: $0) }, startsWhenAvailable: options.source.wait)
    }
}
