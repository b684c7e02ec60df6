// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Takes photos.
struct PhotoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo",
        abstract: "Take a photo, or several, with a camera.",
        discussion: """
            The metadata is written as EXIF and XMP. A file is written completely or not at all. A real camera runs \
            for one second before the photo, to adjust its exposure (--delay).

            Examples:
              obscura photo -o photo.jpg
              obscura photo camera:front --size largest --quality 95 -o portrait.jpg
              obscura photo -o shot.jpg --burst 5 --interval 200ms
              obscura photo -o here.jpg --location 52.1,4.3 --title "The sea" --author "Ada"
            """)

    @OptionGroup
    var source: SourceOptions

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "File to write, such as photo.jpg (jpg, jpeg or png).",
            discussion: """
                If --burst is 2 or more, each photo has a number: photo.jpg becomes photo-1.jpg, photo-2.jpg and so \
                on; photo%03d.jpg becomes photo001.jpg, photo002.jpg and so on.
                """,
            valueName: "file"))
    var output = "photo.jpg"

    @Option(help: "Number of photos to take (default: 1).")
    var burst: Int?

    @Option(
        help: ArgumentHelp("Time between two photos of a burst, such as 500ms (default: 200ms).", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var interval: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Photo size in pixels, such as 1920x1080, or 'largest' for the largest size of the camera.",
            discussion: "Default: the size of the video frames in the camera mode that the preset 'high' chooses.",
            valueName: "size"),
        transform: PhotoSizeArgument.init(argument:))
    var size: PhotoSizeArgument?

    @OptionGroup
    var fitting: FitOptions

    @OptionGroup
    var jpeg: JPEGOptions

    @OptionGroup(title: "Metadata of the photo")
    var metadata: MetadataOptions

    @OptionGroup
    var picture: PictureOptions

    @Flag(help: "Do not rotate or mirror the pixels; write the orientation as EXIF metadata instead.")
    var exifOrientation = false

    @Option(help: "Flash of the camera; with 'auto', the flash fires only in the dark.")
    var flash: PhotoSettings.Flash = .off

    @Option(
        help: ArgumentHelp(
            "Time to run the camera before the photo, such as 2s (default: 1s for a real camera, otherwise 0s).",
            valueName: "time"),
        transform: DurationArgument.init(argument:))
    var delay: DurationArgument?

    @OptionGroup
    var overwriting: OverwriteOptions

    @OptionGroup
    var verbosity: QuietOptions

    func validate() throws {
        if interval != nil, burst == nil { throw ValidationError("--interval needs --burst.") }
        _ = try paths()
        _ = try settings()
    }
}
