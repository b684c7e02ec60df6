// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Writes down what no driver knows of a camera.
struct DevicesSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Say where a camera looks, or what to call it.",
        discussion: """
            It is kept in ~/.config/obscura/devices.json, for this user. Where the driver itself says where the \
            camera looks, that counts.

            Examples:
              obscura devices set /dev/video2 --position front
              obscura devices set usb-046d_HD_Pro_Webcam_C920_1234ABCD-video-index0 --name "Above the door"
            """)

    @Argument(help: "The camera: its id, or its node such as /dev/video2.")
    var id: CameraArgument

    @Option(help: "Where it looks. With unspecified, what was said is forgotten.")
    var position: CaptureDevice.Position?

    @Option(help: ArgumentHelp("What to call it. With \"\", what was said is forgotten.", valueName: "name"))
    var name: String?

    func validate() throws {
        guard position != nil || name != nil else {
            throw ValidationError("Say what to set: --position front|back|unspecified, or --name.")
        }
    }

    func run() throws {
        guard let file = DeviceSettingsFile.standard else {
            throw ObscuraError(
                .capture, .unusableSettings, subject: "settings", reason: "there is no home for them",
                advice: "Set HOME or XDG_CONFIG_HOME.")
        }
        guard id.source != "pattern" else { throw ValidationError("The built-in camera has nothing to set.") }
        let device = try CaptureDevice.named(id.source)
        try file.set(position: position, name: name, for: device.uniqueID)
        let changed = try CaptureDevice.named("camera:\(device.uniqueID)")
        Terminal.write("\(changed.localizedName) (\(changed.uniqueID)): position \(changed.position.rawValue)\n")
        if let position, changed.position != position {
            Terminal.complain("its driver says where it looks, and that counts.")
        }
    }
}
