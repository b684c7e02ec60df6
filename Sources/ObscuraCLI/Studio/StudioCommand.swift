// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Studio

internal import ArgumentParser
internal import Foundation
internal import Obscura
internal import ObscuraStudio

/// Opens the Studio: the camera in a browser.
struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio",
        abstract: "See, photograph and record cameras in a browser.",
        discussion: """
            Prints an address, and opens it where there is a browser. The address holds a secret: whoever has it sees \
            the cameras. A secret of your own is taken from OBSCURA_STUDIO_TOKEN. Ctrl-C ends it, with 0; recordings \
            become whole first.

            Examples:
              obscura studio
              obscura studio camera:front camera:back --library ~/Shots
              obscura studio --listen 192.168.1.5 --tls-cert cert.pem --tls-key key.pem
            """)

    @Argument(
        help: ArgumentHelp(
            "Cameras that are there at the start: camera, camera:front, pattern, a path or an address.",
            discussion: "The first camera if none is given, or the built-in pattern if there is no camera.",
            valueName: "source"))
    var sources: [String] = []

    @Option(help: "The port; 0 takes a free one.")
    var port = 8080

    @Option(
        name: .customLong("listen"),
        help: ArgumentHelp(
            "Where it listens. Another than this machine's own needs --tls-cert and --tls-key, or --insecure.",
            valueName: "address"))
    var address = "127.0.0.1"

    @Option(
        name: .customLong("host-name"),
        help: ArgumentHelp("Another name under which it is reached, such as kiosk.local. May be repeated."))
    var hostNames: [String] = []

    @Option(
        help: ArgumentHelp(
            "The folder of photos and movies; Obscura in your folder of pictures unless given.", valueName: "folder"))
    var library: String?

    @Option(help: ArgumentHelp("A certificate in PEM form, followed by those that vouch for it.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The private key of --tls-cert, in PEM form.", valueName: "file"))
    var tlsKey: String?

    @Flag(help: "Listen to a network without TLS: everybody on the way sees the pictures and the secret.")
    var insecure = false

    @Flag(help: "Let pages name addresses as cameras, and send files into the library.")
    var allowSources = false

    @OptionGroup
    var sourceTrust: TrustOptions

    @Flag(help: "Do not open a browser.")
    var noOpen = false

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port is 0 to 65535.") }
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-cert and --tls-key go together.")
        }
    }

    func run() async throws {
        var configuration = StudioConfiguration(libraryFolder: library ?? Self.usualLibrary)
        configuration.sources = sources.isEmpty ? [DefaultSource.camera(unless: nil)] : sources
        configuration.address = address
        configuration.port = port
        configuration.hostNames = hostNames
        configuration.allowsSources = allowSources
        configuration.isInsecureAllowed = insecure
        configuration.sourceTrust = sourceTrust.trust
        if let tlsCert, let tlsKey { configuration.tls = .init(certificate: tlsCert, key: tlsKey) }
        // For those who start it by a program, and know a secret already: an argument would be seen by all.
        configuration.token = ProcessInfo.processInfo.environment["OBSCURA_STUDIO_TOKEN"]
        let server = try StudioServer(configuration)
        let opener = noOpen ? nil : BrowserOpener()
        let folder = configuration.libraryFolder
        let reach = server.servesNetwork ? reach : nil
        let (result, code) = await Interruption.cancelling {
            try await server.run { address in
                Terminal.write("The Studio is at \(address)\n")
                Terminal.note("Photos and movies: \(folder). Ctrl-C ends it.\n")
                if let reach { Terminal.note(reach) }
                opener?.open(address)
            }
        }
        opener?.close()
        // Who ends it wanted just that.
        if code == nil { try result.get() }
    }

    /// What is to be known of a Studio that a network reaches.
    private var reach: String {
        var text = "From other machines: this machine's address in digits stands for the name above"
        text += hostNames.isEmpty ? "; a name is let in with --host-name.\n" : ".\n"
        if tlsCert == nil { text += "Without TLS everybody on the way sees the pictures and the secret.\n" }
        return text
    }

    private static var usualLibrary: String {
        let manager = FileManager.default
        // Foundation asks the list of users; who sets HOME means that one.
        if let home = ProcessInfo.processInfo.environment["HOME"], !home.isEmpty,
            home != manager.homeDirectoryForCurrentUser.path
        {
            return URL(filePath: home).appending(path: "Pictures/Obscura").path
        }
        let pictures = manager.urls(for: .picturesDirectory, in: .userDomainMask).first
        return (pictures ?? manager.homeDirectoryForCurrentUser).appending(path: "Obscura").path
    }
}

#endif
