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
            A value is a number, 'on' or 'off', or an item of a menu. The camera keeps the values until it loses \
            power. Controls can also be set while another program uses the camera. The command first resets all \
            controls (--reset), then sets controls in the given order (--set), then lists all controls.

            Examples:
              obscura devices controls
              obscura devices controls /dev/video2 --json
              obscura devices controls --set auto_exposure=manual_mode --set exposure_time_absolute=100
              obscura devices controls front --set power_line_frequency="50 Hz"
            """)

    @Argument(
        help: ArgumentHelp(
            "Camera: 'front', 'back', an id, or a device node such as /dev/video0 (default: the first camera).",
            valueName: "id"))
    var id: CameraArgument?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp("Set a control, such as brightness=140; may be repeated.", valueName: "name=value"))
    var assignments: [ControlAssignment] = []

    @Flag(help: "Reset all controls to their defaults.")
    var reset = false

    @OptionGroup
    var output: JSONOptions

    func run() throws {
        let device = try CaptureDevice.named(id?.source ?? "camera")
        var controls = try device.controls
        if reset || !assignments.isEmpty {
            controls = try device.lockForConfiguration { device in
                if reset { try device.resetToDefaults() }
                for assignment in assignments {
                    let number = try device.control(named: assignment.name).map(assignment.number(for:))
                    // For an unknown control, this call throws an error that lists the existing ones.
                    try device.set(assignment.name, to: number ?? 0)
                }
                return device.controls
            }
        }
        let listings = controls.map(ControlListing.init)
        try output.write(listings, orText: ControlListing.table(listings))
    }
}
