// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Lists the cameras and microphones.
struct DevicesListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the cameras and microphones, with their formats.")

    @OptionGroup
    var output: JSONOptions

    @Flag(help: "Show which mode each preset chooses for each camera, and why.")
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
        let note = devices.isEmpty ? "This machine has no camera.\n\n" : ""
        try output.write(listings, orText: note + listings.map(\.text).joined(separator: "\n"))
    }
}
