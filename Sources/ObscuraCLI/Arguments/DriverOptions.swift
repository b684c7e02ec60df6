// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The driver for cameras that several drivers can reach.
struct DriverOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Driver for cameras that both drivers can reach.",
            discussion: "Default: v4l2 if the device node can be opened, otherwise pipewire; in a sandbox, pipewire. "
                + "obscura devices --explain shows the reason for each camera."))
    private var driver: CameraDriverKind?

    /// Applies the choice before the command looks for a camera.
    mutating func validate() {
        if let driver { CaptureDevice.preferredDriver = driver }
    }
}
