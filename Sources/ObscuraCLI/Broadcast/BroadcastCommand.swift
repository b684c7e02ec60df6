// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Sends a camera and a microphone live.
struct BroadcastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broadcast",
        abstract: "Send a camera and a microphone live: RTMP, RTSP, SRT, UDP, HLS.",
        discussion: """
            Encoded once, sent to many. A destination that is slow or goes away costs only itself, and is connected to \
            again. Keys and passwords are shown nowhere; so that they are in no history of a shell either, give the \
            addresses by standard input: --to - (one a line).

            Destinations:
              rtmp://host/app/key      a platform, or a server such as nginx; also rtmps
              rtsp://host:8554/path    a server that takes RTSP
                                       ?transport=udp for RTP over UDP
              rtsp://:8554/live        whoever watches this machine by RTSP
              srt://host:9000          a listener
                                       ?latency=120&passphrase=…&streamid=…
              srt://:9000              whoever calls this machine
              udp://239.0.0.1:1234     MPEG-TS to a machine or a group
              folder/live.m3u8         HLS, for a web server to serve
              movie.mp4                a movie of the same pictures; as --record

            Examples:
              obscura broadcast --to rtmp://live.example.com/app/key
              obscura broadcast camera:front --to srt://studio:9000 --record front.mp4
              obscura broadcast pattern --to udp://127.0.0.1:1234 --duration 10s --json
            """)

    @Option(
        help: ArgumentHelp(
            "Where to send it; as often as you like. - reads addresses from standard input.", valueName: "address"))
    var to: [String] = []

    @OptionGroup
    var options: BroadcastOptions

    @Flag(help: "Wait for servers that are not there yet, instead of giving up.")
    var wait = false

    @Option(
        help: ArgumentHelp(
            "Who signed the certificates of rtmps://, if the system does not know: a PEM file.",
            valueName: "file"))
    var ca: String?

    func validate() throws {
        if to.isEmpty, options.record.isEmpty { throw ValidationError("Say where it goes: --to rtmp://host/app/key.") }
        // What comes by standard input is looked at when it has been read.
        _ = try plan(addresses: to.filter { $0 != "-" })
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
            throw ValidationError("There is no address on standard input.")
        }
        let plan = try plan(addresses: addresses)
        ProcessTitle.conceal(plan.destinations.filter { $0.name != $0.address }.map(\.address))
        try await Broadcasting(plan: plan).run()
    }

    /// - Throws: `ValidationError`.
    func plan(addresses: [String]) throws -> BroadcastPlan {
        let destinations = try addresses.map(BroadcastPlan.destination)
        var plan = try BroadcastPlan(options, to: destinations, startsWhenAvailable: wait)
        plan.settings.trustedCertificates = ca
        return plan
    }
}
