// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Lists what there is.
struct DevicesListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the cameras and microphones that there are, with their formats.")

    @Flag(help: "Print a JSON array instead of text.")
    var json = false

    @Flag(help: "Say which mode each preset takes of each camera, and why.")
    var explain = false

    func run() throws {
        let cameras = CaptureDevice.DiscoverySession()
        let microphones = CaptureDevice.DiscoverySession(mediaType: .audio)
        let devices = cameras.devices
        let listings =
            devices.map { DeviceListing($0, isBuiltIn: false, explainsPresets: explain) }
            + cameras.builtIn.map { DeviceListing($0, isBuiltIn: true, explainsPresets: explain) }
            + microphones.devices.map { DeviceListing($0, isBuiltIn: false) }
            + microphones.builtIn.map { DeviceListing($0, isBuiltIn: true) }
        if json {
            Terminal.write(try JSONText.make(listings) + "\n")
        } else {
            if devices.isEmpty { Terminal.write("This machine has no camera.\n\n") }
            Terminal.write(listings.map(\.text).joined(separator: "\n"))
        }
    }
}
