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
            A photo has its place, its words and its exposure in EXIF and XMP. Under its name it is always whole. A \
            real camera gets a second to find its exposure.

            Examples:
              obscura photo -o photo.jpg
              obscura photo camera:front --size largest --quality 95 -o portrait.jpg
              obscura photo -o shot.jpg --burst 5 --interval 200ms
              obscura photo -o here.jpg --location 52.1,4.3 --title "The sea" --author "Ada"
            """)

    @Argument(
        help: ArgumentHelp(
            "What to take: camera, camera:front, camera:ID, pattern, pattern:1280x720@60, a path or an address.",
            discussion: "The first camera if it is left out, or the built-in pattern if there is no camera."))
    var source: String?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "The file; its ending chooses JPEG or PNG.",
            discussion: """
                A burst to photo.jpg becomes photo-1.jpg, photo-2.jpg …, or write the number's place as in \
                photo%03d.jpg.
                """,
            valueName: "file"))
    var output = "photo.jpg"

    @Option(help: "So many photos. Example: --burst 5")
    var burst: Int?

    @Option(
        help: ArgumentHelp(
            "From one photo of a burst to the next; 200ms unless given. Example: --interval 1s", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var interval: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "How large: largest for all that the camera can, or pixels. Example: --size 1920x1080", valueName: "size"),
        transform: PhotoSizeArgument.init(argument:))
    var size: PhotoSizeArgument?

    @Option(help: "How a picture of another shape meets --size: cut off, as large as fits, or out of shape.")
    var fit: ImageRequest.Fit?

    @Option(help: "The quality of a JPEG, 1 to 100; 90 unless given. Example: --quality 95")
    var quality: Int?

    @OptionGroup(title: "What the photo says of itself")
    var metadata: MetadataOptions

    @OptionGroup
    var picture: PictureOptions

    @Flag(help: "Leave the pixels as the camera gives them, and write the turn into EXIF.")
    var exifOrientation = false

    @Option(help: "Use the camera's flash (default: off). Example: --flash auto")
    var flash: PhotoSettings.Flash = .off

    @Option(
        help: ArgumentHelp(
            "How long the camera runs before the photo; 1s for a real camera. Example: --delay 3s", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var delay: DurationArgument?

    @OptionGroup
    var sourceTrust: TrustOptions

    @Flag(help: "Replace files that are there.")
    var overwrite = false

    @Flag(name: [.short, .long], help: "Say nothing but errors.")
    var quiet = false

    func validate() throws {
        _ = try PhotoPlan(self)
    }

    func run() async throws {
        let source = DefaultSource.camera(unless: source)
        try await PhotoShoot(plan: PhotoPlan(self), source: source, trust: sourceTrust.trust).run()
    }
}
