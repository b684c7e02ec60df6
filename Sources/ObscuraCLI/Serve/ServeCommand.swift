// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

#if Studio
internal import ObscuraStudio
#endif

/// Lets others watch a camera, by servers of our own.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Let browsers and players watch a camera: HLS, served by Obscura itself.",
        discussion: """
            Prints where to watch. Ctrl-C ends it. Whoever reaches an address can watch, unless --user and --password \
            say what he must know.

            Examples:
              obscura serve --hls :8080
              obscura serve camera:front --hls 127.0.0.1:8080 --record front.mp4
              obscura serve --hls :8080 --user me --password - < word
            """)

    #if Studio
    @Option(
        help: ArgumentHelp(
            "Serve HLS, with a page that plays it, at :8080 (all addresses of this machine) or at one of them.",
            discussion: "The port 0 takes a free one.", valueName: "[host]:port"))
    var hls: String?
    #endif

    @Option(help: ArgumentHelp("The name that a viewer must give. Goes with --password.", valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp("The password that a viewer must give; - reads it from standard input.", valueName: "word"))
    var password: String?

    @OptionGroup
    var options: BroadcastOptions

    func validate() throws {
        guard !serverOptions.isEmpty else { throw ValidationError(Self.nothingToServe) }
        guard (user == nil) == (password == nil) else { throw ValidationError("--user and --password go together.") }
        if let user, user.isEmpty || user.contains(":") {
            throw ValidationError("--user is a name without a colon.")
        }
        guard password != "" else { throw ValidationError("--password must not be empty.") }
        _ = try BroadcastPlan(options, to: [])
    }

    func run() async throws {
        if let password, password != "-" { ProcessTitle.conceal([password]) }
        #if Studio
        let server = try hlsServer()
        let servers = [server?.destination].compactMap(\.self)
        #else
        let servers: [BroadcastDestination] = []
        #endif
        let broadcasting = try Broadcasting(plan: BroadcastPlan(options, to: servers))
        #if Studio
        if let server { return try await run(broadcasting, by: server) }
        #endif
        try await broadcasting.run()
    }

    #if Studio
    private func hlsServer() throws -> HLSServer? {
        guard let hls else { return nil }
        var configuration = HLSConfiguration(address: hls)
        if let user, let password = try givenPassword() {
            configuration.credentials = .init(user: user, password: password)
        }
        return try HLSServer(configuration)
    }

    private func run(_ broadcasting: Broadcasting, by server: HLSServer) async throws {
        let announcement = ServeAnnouncement(
            isOpenToNetwork: server.servesNetwork, hasPassword: user != nil, isJSON: options.json,
            isQuiet: options.quiet)
        try await server.serve { address in
            try await broadcasting.run { announcement.tell(address) }
        }
    }
    #endif

    /// The first line of standard input, where the user wants it from there.
    private func givenPassword() throws -> String? {
        guard password == "-" else { return password }
        guard let line = readLine(), !line.isEmpty else {
            throw ValidationError("There is no password on standard input.")
        }
        return line
    }

    /// What servers are asked for.
    private var serverOptions: [String] {
        #if Studio
        [hls].compactMap(\.self)
        #else
        []
        #endif
    }

    private static var nothingToServe: String {
        #if Studio
        "Say how to serve it: --hls :8080."
        #else
        "This obscura is built without the trait Studio, and has no HLS to serve."
        #endif
    }
}
