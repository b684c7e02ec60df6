// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura
internal import ObscuraBase

#if HLS
internal import ObscuraHLS
#endif

/// Serves a camera to browsers and players.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a camera to browsers, players and recorders by RTSP and HLS.",
        discussion: """
            Prints the addresses for viewers. Ctrl-C ends the server. Without --user and --password, anyone who can \
            reach an address can watch.

            Examples:
              obscura serve --rtsp :8554     # ffplay rtsp://HOST:8554/live
              obscura serve --hls :8080      # a browser: http://HOST:8080/
              obscura serve camera:front --hls 127.0.0.1:8080 --record front.mp4
              obscura serve --hls :8080 --user me --password - < word
            """)

    #if HLS
    @Option(
        help: ArgumentHelp(
            "Serve HLS on this address, such as 192.168.1.5:8080, or :8080 for all IPv4 addresses.",
            discussion: "The server has a web page that plays the stream. Port 0 chooses a free port.",
            valueName: "[host]:port"))
    var hls: String?

    @OptionGroup
    var hosts: HostNameOptions

    @Flag(help: "Let pages of other web sites play the HLS stream.")
    var allowOtherSites = false
    #endif

    @Option(
        help: ArgumentHelp(
            "Serve RTSP on this address, such as 192.168.1.5:8554, or :8554 for all IPv4 addresses.",
            discussion: "The path is /live, unless another path follows the port: --rtsp :8554/cameras/front.",
            valueName: "[host]:port"))
    var rtsp: String?

    @Option(help: ArgumentHelp("User name that viewers must enter; needs --password.", valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp(
            "Password that viewers must enter; - reads the password from standard input.",
            discussion: "At least 8 characters, unless only this machine can reach the server.",
            valueName: "password"))
    var password: String?

    @OptionGroup
    var options: BroadcastOptions

    func validate() throws {
        guard !serverOptions.isEmpty else { throw ValidationError(Self.nothingToServe) }
        guard (user == nil) == (password == nil) else {
            throw ValidationError("--user and --password must be given together.")
        }
        if let user, user.isEmpty || user.contains(where: { ":\"".contains($0) }) {
            throw ValidationError("--user must be a name without colons and quotes.")
        }
        guard password != "" else { throw ValidationError("--password must not be empty.") }
        // A password on standard input is validated when it is read.
        _ = try options.destinations([rtspServer(password: nil)].compactMap(\.self))
        #if HLS
        try validateHLS()
        #endif
    }

    func run() async throws {
        if let password, password != "-" { ProcessTitle.conceal([password]) }
        let password = try givenPassword()
        try await options.serveMetrics { try await serve(password: password) }
    }

    private func serve(password: String?) async throws {
        let rtsp = try rtspServer(password: password)
        #if HLS
        if let hls = try hlsServer(password: password) {
            let broadcasting = try broadcasting(to: [hls.destination, rtsp])
            let announcement = announcement(isOpenToNetwork: hls.servesNetwork, hidesPassword: false)
            return try await hls.serve { address in
                let tell = announcing(rtsp)
                try await broadcasting.run(
                    onStart: { announcement.tell(address) }, onConnected: { $0 == hls.destination || tell($0) })
            }
        }
        #endif
        try await broadcasting(to: [rtsp]).run(onConnected: announcing(rtsp))
    }

    private func broadcasting(to destinations: [BroadcastDestination?]) throws -> Broadcasting {
        try Broadcasting(
            options, to: options.destinations(destinations.compactMap(\.self)), settings: options.settings())
    }

    private func announcement(isOpenToNetwork: Bool, hidesPassword: Bool) -> ServeAnnouncement {
        ServeAnnouncement(
            isOpenToNetwork: isOpenToNetwork, hasPassword: user != nil, hidesPassword: hidesPassword,
            isJSON: options.output.json, isQuiet: options.verbosity.quiet)
    }

    /// Returns the password from the first line of standard input, if that was requested.
    private func givenPassword() throws -> String? {
        guard password == "-" else { return password }
        guard let line = readLine(), !line.isEmpty else {
            throw ValidationError("Standard input contains no password.")
        }
        return line
    }

    // MARK: RTSP

    /// - Parameter password: nil for a server without authentication.
    private func rtspServer(password: String?) throws -> BroadcastDestination? {
        guard let rtsp else { return nil }
        do {
            return try .rtspServer(at: rtsp, user: password.flatMap { _ in user }, password: password)
        } catch {
            throw ValidationError(error.commandText)
        }
    }

    /// Returns a closure that announces the RTSP address when its server listens.
    private func announcing(_ server: BroadcastDestination?) -> @Sendable (BroadcastDestination) -> Bool {
        guard let server, let address = server.servedAddress else { return { _ in false } }
        let announcement = announcement(isOpenToNetwork: server.servesNetwork, hidesPassword: true)
        return { connected in
            guard connected == server else { return false }
            announcement.tell(address)
            return true
        }
    }

    // MARK: HLS

    #if HLS
    private func validateHLS() throws {
        guard let hls else {
            if !hosts.names.isEmpty || allowOtherSites {
                throw ValidationError("--host-name and --allow-other-sites need --hls.")
            }
            return
        }
        do {
            _ = try hlsServer(password: nil)
        } catch let error as ObscuraError where error.code == .cannotListen {
            throw ValidationError(error.commandText)
        } catch {
            // Not an error of the options; it is reported when the server starts.
        }
        if let one = HostAndPort(hls), let other = HostAndPort((rtsp ?? "").prefix { $0 != "/" }),
            one.port == other.port, Self.overlap(one.host, other.host)
        {
            throw ValidationError("--hls and --rtsp cannot use the same port.")
        }
    }

    private static func overlap(_ one: String, _ other: String) -> Bool {
        let hosts: Set = [one, other]
        if hosts.count == 1 || hosts.contains("::") { return true }
        // All IPv4 addresses.
        return !hosts.isDisjoint(with: ["", "0.0.0.0"]) && !hosts.contains { $0.contains(":") }
    }

    private func hlsServer(password: String?) throws -> HLSServer? {
        guard let hls else { return nil }
        var configuration = HLSConfiguration(address: hls)
        if let user, let password { configuration.credentials = .init(user: user, password: password) }
        configuration.hostNames = hosts.names
        configuration.allowsOtherSites = allowOtherSites
        return try HLSServer(configuration)
    }
    #endif

    /// The server options that were given.
    private var serverOptions: [String] {
        var options: [String?] = []
        #if HLS
        options.append(hls)
        #endif
        options.append(rtsp)
        return options.compactMap(\.self)
    }

    private static var nothingToServe: String {
        #if HLS
        "Give a server: --rtsp :8554 or --hls :8080."
        #else
        "Give a server: --rtsp :8554."
        #endif
    }
}
