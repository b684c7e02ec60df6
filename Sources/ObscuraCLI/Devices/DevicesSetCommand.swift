// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Sets the properties of a camera that its driver does not report.
struct DevicesSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the position or the name of a camera.",
        discussion: """
            The settings are stored in ~/.config/obscura/devices.json, for this user. A position that the driver \
            reports takes precedence.

            Examples:
              obscura devices set /dev/video2 --position front
              obscura devices set usb-046d_HD_Pro_Webcam_C920_1234ABCD-video-index0 --name "Above the door"
            """)

    @Argument(help: "Id of the camera, or its device node such as /dev/video2.")
    var id: CameraArgument

    @Option(help: "Position of the camera; 'unspecified' clears the setting.")
    var position: CaptureDevice.Position?

    @Option(help: ArgumentHelp("Name of the camera; an empty name (\"\") clears the setting.", valueName: "name"))
    var name: String?

    func validate() throws {
        guard position != nil || name != nil else {
            throw ValidationError("Give a setting: --position front|back|unspecified, or --name.")
        }
    }

    func run() throws {
        guard let file = DeviceSettingsFile.standard else {
            throw ObscuraError(
                .capture, .unusableSettings, subject: "settings",
                reason: "neither XDG_CONFIG_HOME nor HOME is set to an absolute path",
                advice: "Set HOME or XDG_CONFIG_HOME.")
        }
        guard id.source != "pattern" else { throw ValidationError("The test-pattern camera has no settings.") }
        let device = try CaptureDevice.named(id.source)
        try file.set(position: position, name: name, for: device.uniqueID)
        let changed = try CaptureDevice.named("camera:\(device.uniqueID)")
        Terminal.write("\(changed.localizedName) (\(changed.uniqueID)): position \(changed.position.rawValue)\n")
        if let position, changed.position != position {
            Terminal.complain("the new position has no effect: the one that the driver reports takes precedence.")
        }
    }
}
