// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Edits a photo.
struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Crop, turn, straighten and enhance a photo.",
        discussion: """
            The photo stays as it is; the edited one is a new file, at full size, with the metadata of the first. In \
            this order: red eyes, turn, mirror, crop, light and colours.

            Examples:
              obscura edit photo.jpg --auto-enhance -o better.jpg
              obscura edit photo.jpg --rotate 2.5 --crop 4:3 -o straight.jpg
              obscura edit photo.jpg --rotate=-90 --crop 640x480+100+50 -o part.png
            """)

    @Argument(help: "The photo: a JPEG or a PNG.")
    var photo: String

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("The new file; its ending chooses JPEG or PNG.", valueName: "file"))
    var output: String

    @Flag(help: "Find out what makes the most of the photo's light and colours, say it, and do it.")
    var autoEnhance = false

    #if Vision
    @Flag(help: "Find the eyes of all faces and mend red pupils.")
    var redEye = false
    #endif

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Turn it so many degrees, clockwise.",
            discussion: """
                What is left of quarter turns straightens the picture and cuts off its empty corners. Example: \
                --rotate 2.5
                """,
            valueName: "degrees"))
    var rotate: Double?

    @Flag(help: "Left and right change places.")
    var mirror = false

    @Option(
        help: ArgumentHelp(
            "Leave a part: a shape such as 4:3, the largest in the middle, or pixels such as 640x480+100+50.",
            valueName: "part"),
        transform: CropArgument.init(argument:))
    var crop: CropArgument?

    @Option(help: "The quality of a JPEG, 1 to 100; 90 unless given. Example: --quality 95")
    var quality: Int?

    @Flag(help: "Replace a file that is there.")
    var overwrite = false

    @Flag(name: [.short, .long], help: "Say nothing but errors.")
    var quiet = false

    func validate() throws {
        let ending = output.split(separator: ".").last?.lowercased() ?? ""
        guard output.contains("."), ["jpg", "jpeg", "png"].contains(ending) else {
            throw ValidationError("The ending of \(output) does not say what to write. Give jpg, jpeg or png.")
        }
        if let quality {
            guard ending != "png" else { throw ValidationError("--quality is for JPEG.") }
            guard (1...100).contains(quality) else { throw ValidationError("--quality must be 1 to 100.") }
        }
        if let rotate, !rotate.isFinite || abs(rotate) > 360 {
            throw ValidationError("--rotate takes degrees from -360 to 360.")
        }
        guard autoEnhance || mendsEyes || rotate != nil || mirror || crop != nil else {
            throw ValidationError("Say what to do: --auto-enhance, --red-eye, --rotate, --mirror or --crop.")
        }
    }

    func run() async throws {
        var still = try Still(contentsOf: photo)
        var recipe = StillRecipe(try eyes(of: still.picture) + turns)
        if let crop {
            recipe.edits.append(.crop(try crop.part(of: recipe.size(of: still.picture.size))))
        }
        if autoEnhance {
            // By what is left of the picture.
            let enhancement = try Enhancement.automatic(for: recipe.apply(to: still.picture))
            recipe.edits.append(.enhance(enhancement))
            if !quiet { Terminal.note(enhancement.summary + "\n") }
        }
        still.picture = try recipe.apply(to: still.picture)
        let format: StillFormat? = quality.map { .jpeg(quality: $0) }
        try await still.write(to: output, as: format, overwrites: overwrite)
        if !quiet { Terminal.note("\(output): \(still.picture.size)\n") }
    }

    #if Vision
    private var mendsEyes: Bool { redEye }

    private func eyes(of picture: PixelBuffer) throws -> [StillEdit] {
        guard redEye else { return [] }
        var settings = FaceDetector.Settings()
        settings.findsFeatures = true
        let eyes = try FaceDetector(settings: settings).faces(in: picture).flatMap { face in
            [face.leftEye, face.rightEye].compactMap(\.self)
        }
        if !quiet { Terminal.note("red eyes: \(eyes.count) eye\(eyes.count == 1 ? "" : "s") found\n") }
        return [.redEye(eyes.map { UnitRect($0, in: picture.size) })]
    }
    #else
    private var mendsEyes: Bool { false }

    private func eyes(of picture: PixelBuffer) -> [StillEdit] { [] }
    #endif

    /// Quarter turns, and what is left of them.
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
    /// What was found out, as one line.
    fileprivate var summary: String {
        if self == .none { return "enhanced: nothing to be done" }
        func number(_ value: Double) -> String { String((value * 100).rounded() / 100) }
        return """
            enhanced: black \(number(black)), white \(number(white)), red \(number(gains.red)), green \
            \(number(gains.green)), blue \(number(gains.blue)), shadows \(number(shadows)), saturation \
            \(number(saturation))
            """
    }
}
