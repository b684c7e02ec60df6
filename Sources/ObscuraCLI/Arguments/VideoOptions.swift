// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The mode of a camera, and the size and the processing of the frames.
struct VideoOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Preset that chooses the mode of the camera (size, frame rate and format), such as hd1280x720.",
            discussion: "Default: 'high'. This option has no effect on a movie or a URL."))
    private var preset: CaptureSession.Preset?

    @Option(
        help: ArgumentHelp(
            "Size of the output frames in pixels, such as 640x360 (default: the frame size of the source).",
            valueName: "width>x<height"),
        transform: SizeArgument.init(argument:))
    private var size: SizeArgument?

    @OptionGroup
    var picture: PictureOptions

    var presetOrDefault: CaptureSession.Preset { preset ?? .high }

    /// A message about a preset that has no effect on the source; nil if there is none.
    func presetNote(for source: String) -> String? {
        guard preset != nil, SourceKind(source) == .film else { return nil }
        return "--preset has no effect on a movie or a URL. To scale the frames, use --size."
    }

    var frameSize: PixelSize? { size?.size }
}
