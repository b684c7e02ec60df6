// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura
internal import ObscuraBase

/// Edits a photo.
struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Crop, rotate, straighten and enhance a photo.",
        discussion: """
            The original is not changed. The result is a new file in full resolution, with the same metadata. The \
            edits are applied in this order: red eyes, rotation, mirroring, crop, enhancement.

            Examples:
              obscura edit photo.jpg --auto-enhance -o better.jpg
              obscura edit photo.jpg --rotate 2.5 --crop 4:3 -o straight.jpg
              obscura edit photo.jpg --rotate=-90 --crop 640x480+100+50 -o part.png
            """)

    @Argument(help: "Photo to edit: JPEG or PNG.")
    var photo: String

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("File to write, such as better.jpg (jpg, jpeg or png).", valueName: "file"))
    var output: String

    @Flag(help: "Adjust brightness and colors automatically, and print the adjustments.")
    var autoEnhance = false

    @Flag(help: "Correct red eyes in all faces.")
    var redEye = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Rotate clockwise by this number of degrees, such as 90 or 2.5.",
            discussion: "An angle between quarter turns leaves empty corners, which are cut off.",
            valueName: "degrees"))
    var rotate: Double?

    @Flag(help: "Mirror horizontally.")
    var mirror = false

    @Option(
        help: ArgumentHelp(
            "Crop to an aspect ratio, such as 4:3, or to a size in pixels, such as 640x480 or 640x480+100+50.",
            discussion: """
                The area is centered, unless a position follows the size: +100+50 is 100 pixels from the left and 50 \
                from the top. With an aspect ratio, the area is as large as possible.
                """,
            valueName: "area"),
        transform: CropArgument.init(argument:))
    var crop: CropArgument?

    @OptionGroup
    var jpeg: JPEGOptions

    @OptionGroup
    var overwriting: OverwriteOptions

    @OptionGroup
    var verbosity: QuietOptions

    private var isQuiet: Bool { verbosity.quiet }

    func validate() throws {
        let ending = output.split(separator: ".").last?.lowercased() ?? ""
        guard output.contains("."), ["jpg", "jpeg", "png"].contains(ending) else {
            throw ValidationError("Unknown file extension in \(output). Use jpg, jpeg or png.")
        }
        try jpeg.check(isJPEG: ending != "png")
        if let rotate, !rotate.isFinite || abs(rotate) > 360 {
            throw ValidationError("--rotate must be -360 to 360 degrees.")
        }
        guard autoEnhance || redEye || rotate != nil || mirror || crop != nil else {
            throw ValidationError("Give an edit: --auto-enhance, --red-eye, --rotate, --mirror or --crop.")
        }
    }

    func run() async throws {
        if overwriting.overwrite, let own = try? FileStatus(path: photo), let other = try? FileStatus(path: output),
            own.isOfSameFile(as: other)
        {
            throw ValidationError("--output is the original photo, which is never replaced. Choose another name.")
        }
        var still = try Still(contentsOf: photo)
        var recipe = StillRecipe(try eyes(of: still.picture) + turns)
        if let crop {
            recipe.edits.append(.crop(try crop.part(of: recipe.size(of: still.picture.size))))
        }
        if autoEnhance {
            // Measured on the image after the edits so far.
            let enhancement = try Enhancement.automatic(for: recipe.apply(to: still.picture))
            recipe.edits.append(.enhance(enhancement))
            if !isQuiet { Terminal.note(enhancement.summary + "\n") }
        }
        still.picture = try recipe.apply(to: still.picture)
        let format: StillFormat? = jpeg.quality.map { .jpeg(quality: $0) }
        try await still.write(to: output, as: format, overwrites: overwriting.overwrite)
        if !isQuiet { Terminal.note("\(output): \(still.picture.size)\n") }
    }

    private func eyes(of picture: PixelBuffer) throws -> [StillEdit] {
        guard redEye else { return [] }
        var settings = FaceDetector.Settings()
        settings.findsFeatures = true
        let eyes = try FaceDetector(settings: settings).faces(in: picture).flatMap { face in
            [face.leftEye, face.rightEye].compactMap(\.self)
        }
        if !isQuiet { Terminal.note("red eyes: \(eyes.count) eye\(eyes.count == 1 ? "" : "s") found\n") }
        return [.redEye(eyes.map { UnitRect($0, in: picture.size) })]
    }

    /// The rotation in quarter turns, and the remaining angle.
    private var turns: [StillEdit] {
        var edits: [StillEdit] = []
        if let rotate {
            let quarters = (rotate / 90).rounded()
            edits = [.rotate(Orientation(degrees: Int(quarters) * 90)), .straighten(degrees: rotate - quarters * 90)]
        }
        return mirror ? edits + [.mirror] : edits
    }
}

extension Enhancement {
    /// The values of the automatic enhancement, in one line.
    fileprivate var summary: String {
        if self == .none { return "enhanced: no change necessary" }
        func number(_ value: Double) -> String { String((value * 100).rounded() / 100) }
        return """
            enhanced: black \(number(black)), white \(number(white)), red \(number(gains.red)), green \
            \(number(gains.green)), blue \(number(gains.blue)), shadows \(number(shadows)), saturation \
            \(number(saturation))
            """
    }
}
