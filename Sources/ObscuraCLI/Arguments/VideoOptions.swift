// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The mode of a camera, and the size and the processing of the frames.
struct VideoOptions: ParsableArguments {
    @Option(help: "Preset that chooses the mode of the camera (size, frame rate and format), such as hd1280x720.")
    private(set) var preset: CaptureSession.Preset = .high

    @Option(
        help: ArgumentHelp(
            "Frame size in pixels, such as 640x360 (default: the size of the source).", valueName: "width>x<height"),
        transform: SizeArgument.init(argument:))
    private var size: SizeArgument?

    @OptionGroup
    var picture: PictureOptions

    var frameSize: PixelSize? { size?.size }
}
