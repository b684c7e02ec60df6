// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The driver for cameras that several drivers can reach.
struct DriverOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Driver to use for cameras that both V4L2 and PipeWire provide.",
            discussion: "Default: 'v4l2' if the device node of the camera can be opened, otherwise 'pipewire'. In a "
                + "sandbox, the default is 'pipewire'. To see the reason for each camera: obscura devices --explain"))
    private var driver: CameraDriverKind?

    /// Applies the choice before the command looks for a camera.
    mutating func validate() {
        if let driver { CaptureDevice.preferredDriver = driver }
    }
}
