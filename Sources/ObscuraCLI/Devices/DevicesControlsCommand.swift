// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Lists and sets the controls of a camera.
struct DevicesControlsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "controls",
        abstract: "List the controls of a camera, and set them.",
        discussion: """
            A value is a number, on or off, or one of a menu's words. What is set stays set until the camera loses
            its power. The camera may be in use. Controls are set in the order in which they are written; --reset
            comes first. Afterwards all of them are listed.

            Examples:
              obscura devices controls
              obscura devices controls /dev/video2 --json
              obscura devices controls --set auto_exposure=manual_mode --set exposure_time_absolute=100
              obscura devices controls front --set power_line_frequency="50 Hz"
            """)

    @Argument(help: ArgumentHelp("The id of a camera, its node, or front or back.", valueName: "id"))
    var id: CameraArgument?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp("Set a control; may be given several times.", valueName: "name=value"))
    var assignments: [ControlAssignment] = []

    @Flag(help: "Give every control its default value.")
    var reset = false

    @Flag(help: "Print a JSON array instead of text.")
    var json = false

    func run() throws {
        let device = try CaptureDevice.named(id?.source ?? "camera")
        var controls = try device.controls
        if reset || !assignments.isEmpty {
            controls = try device.lockForConfiguration { device in
                if reset { try device.resetToDefaults() }
                for assignment in assignments {
                    let number = try device.control(named: assignment.name).map(assignment.number(for:))
                    // Without such a control it is the configuration that says what there is.
                    try device.set(assignment.name, to: number ?? 0)
                }
                return device.controls
            }
        }
        let listings = controls.map(ControlListing.init)
        Terminal.write(json ? try JSONText.make(listings) + "\n" : ControlListing.table(listings))
    }
}
