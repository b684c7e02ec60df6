// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Studio

internal import ArgumentParser
internal import Foundation
internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary
internal import ObscuraStudio

/// Serves the Studio, a web interface for cameras.
struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio",
        abstract: "View cameras, take photos and record movies in a browser.",
        discussion: """
            Prints an address, and opens it in a browser if there is one. The address contains a token: anyone who \
            has the token can see the cameras. To choose the token yourself, set the environment variable \
            OBSCURA_STUDIO_TOKEN. Ctrl-C finishes all recordings, and ends the Studio with exit code 0.

            Examples:
              obscura studio
              obscura studio camera:front camera:back --library ~/Shots
              obscura studio --listen 192.168.1.5 --tls-cert cert.pem --tls-key key.pem
            """)

    @Argument(
        help: ArgumentHelp(
            "Cameras to open at the start: 'camera', 'camera:front', 'pattern' (test pattern), files or URLs.",
            discussion: "Default: the first camera, or the test pattern if there is no camera.",
            valueName: "source"))
    var sources: [String] = []

    @Option(help: "Port to listen on; 0 chooses a free port.")
    var port = 8080

    @Option(
        name: .customLong("listen"),
        help: ArgumentHelp(
            "Address of this machine to listen on, such as 192.168.1.5.",
            discussion: """
                With the default, only this machine can connect. An address that other machines can reach needs \
                --tls-cert and --tls-key, or --insecure.
                """,
            valueName: "address"))
    var address = "127.0.0.1"

    @OptionGroup
    var hosts: HostNameOptions

    @Option(
        help: ArgumentHelp(
            "Folder for photos and movies (default: the folder Obscura in your Pictures folder).", valueName: "folder"))
    var library: String?

    @Option(
        help: ArgumentHelp(
            "PEM file with the certificate of the server, followed by any intermediate certificates.",
            valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("PEM file with the private key of the certificate in --tls-cert.", valueName: "file"))
    var tlsKey: String?

    @Flag(help: "Listen on a network without TLS. Insecure: others on the network can read the frames and the token.")
    var insecure = false

    @Flag(help: "Let users of the Studio add network cameras, such as rtsp://camera.local, and upload files.")
    var allowSources = false

    @OptionGroup
    var drivers: DriverOptions

    @OptionGroup
    var sourceTrust: TrustOptions

    @Flag(help: "Do not open a browser.")
    var noOpen = false

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-cert and --tls-key must be given together.")
        }
    }

    func run() async throws {
        try ProcessNeeds.checkForServer()
        var configuration = StudioConfiguration(libraryFolder: library ?? MediaLibrary.defaultPath)
        configuration.sources = sources.isEmpty ? [DefaultSource.camera(unless: nil)] : sources
        configuration.address = address
        configuration.port = port
        configuration.hostNames = hosts.names
        configuration.allowsSources = allowSources
        configuration.isInsecureAllowed = insecure
        configuration.sourceTrust = sourceTrust.trust
        if let tlsCert, let tlsKey { configuration.tls = .init(certificate: tlsCert, key: tlsKey) }
        // For programs that start the Studio with a token of their own: arguments are visible to all users.
        configuration.token = ProcessInfo.processInfo.environment["OBSCURA_STUDIO_TOKEN"]
        let server = try StudioServer(configuration)
        let opener = noOpen ? nil : BrowserOpener()
        let folder = configuration.libraryFolder
        let reach = server.servesNetwork ? reach : nil
        let (result, code) = await Interruption.cancelling {
            try await server.run { address in
                Terminal.write("The Studio is at \(address)\n")
                Terminal.note("Photos and movies: \(folder). Ctrl-C ends the Studio.\n")
                if let reach { Terminal.note(reach) }
                opener?.open(address)
            }
        }
        opener?.close()
        // An interruption is the normal end, and not an error.
        if code == nil { try result.get() }
    }

    /// A note on the network access to the Studio.
    private var reach: String {
        var text = "From other machines, use the IP address of this machine instead of the host above"
        text += hosts.names.isEmpty ? "; to use a name, add --host-name.\n" : ".\n"
        if tlsCert == nil { text += "Without TLS, others on the network can read the frames and the token.\n" }
        return text
    }
}

#endif
