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

    @OptionGroup
    var drivers: DriverOptions

    @Flag(
        help: ArgumentHelp(
            "Also show the driver of each camera and the mode that each preset chooses, with the reasons.",
            discussion: "Device nodes that are not offered as cameras are listed as well."))
    var explain = false

    func run() throws {
        let cameras = CaptureDevice.DiscoverySession()
        let microphones = CaptureDevice.DiscoverySession(mediaType: .audio)
        let devices = cameras.devices
        let listings =
            devices.map { DeviceListing($0, isBuiltIn: false, explains: explain) }
            + cameras.builtIn.map { DeviceListing($0, isBuiltIn: true, explains: explain) }
            + microphones.devices.map { DeviceListing($0, isBuiltIn: false) }
            + microphones.builtIn.map { DeviceListing($0, isBuiltIn: true) }
        let note = devices.isEmpty ? "This machine has no camera.\n\n" : ""
        let others = explain ? Diagnosis.nodesNotOffered() : []
        let rest = others.map { "\n\($0.subject)\n  not offered: \($0.finding)\n" }.joined()
        try output.write(listings, orText: note + listings.map(\.text).joined(separator: "\n") + rest)
    }
}
