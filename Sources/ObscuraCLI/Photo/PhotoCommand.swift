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
            Location, texts and exposure are written as EXIF and XMP. A file is written whole or not at all. A real \
            camera gets one second to adjust its exposure.

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
            "File to write: JPEG or PNG, by its extension.",
            discussion: """
                A burst to photo.jpg is written to photo-1.jpg, photo-2.jpg …; choose the place of the number as in \
                photo%03d.jpg.
                """,
            valueName: "file"))
    var output = "photo.jpg"

    @Option(help: "Number of photos to take (default: 1).")
    var burst: Int?

    @Option(
        help: ArgumentHelp("Time between two photos of a burst (default: 200ms).", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var interval: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Photo size in pixels, such as 1920x1080, or largest for the camera's largest mode.", valueName: "size"),
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

    @Flag(help: "Keep the pixels as the camera delivers them, and write the orientation as EXIF.")
    var exifOrientation = false

    @Option(help: "Use the camera's flash. Example: --flash auto")
    var flash: PhotoSettings.Flash = .off

    @Option(
        help: ArgumentHelp(
            "Time the camera runs before the photo (default: 1s for a real camera, else 0s).", valueName: "time"),
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
