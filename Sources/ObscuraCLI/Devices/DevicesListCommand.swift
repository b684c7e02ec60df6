// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import FoundationEssentials
internal import Obscura

/// Lists what there is.
struct DevicesListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the cameras that there are, with their formats.",
        discussion: """
            The first camera is the default one. Any of them can be named by its id: obscura extract camera:ID.

            Examples:
              obscura devices
              obscura devices --json
            """)

    @Flag(help: "Print a JSON array instead of text.")
    var json = false

    func run() throws {
        let session = CaptureDevice.DiscoverySession()
        let listings =
            session.devices.map { DeviceListing($0, isBuiltIn: false) }
            + session.builtIn.map { DeviceListing($0, isBuiltIn: true) }
        if json {
            Terminal.write(try JSONText.make(listings) + "\n")
        } else {
            if session.devices.isEmpty { Terminal.write("This machine has no camera.\n\n") }
            Terminal.write(listings.map(\.text).joined(separator: "\n"))
        }
    }
}
