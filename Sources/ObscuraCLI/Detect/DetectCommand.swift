// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import ArgumentParser
internal import Obscura

/// Finds faces in the frames of a source.
struct DetectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect",
        abstract: "Find faces in a camera or a film.",
        discussion: """
            A line is written for each frame with faces: its time, its number, and for each face its id, its place as \
            width x height + x + y, and how sure the engine is. Places are in pixels of the upright picture.

            Examples:
              obscura detect film.mp4
              obscura detect camera --json | jq .faces
              obscura detect film.mp4 -o annotated.mp4
              obscura detect camera --mosaic -o hidden.mp4 --duration 10s
            """)

    @Argument(
        help: ArgumentHelp(
            "Where to look: camera, camera:front, camera:ID, pattern, a path or an address.",
            discussion: "The first camera if it is left out, or the built-in pattern if there is no camera."))
    var source: String?

    @OptionGroup
    var sourceTrust: TrustOptions

    @Flag(help: "Write a JSON object a line, instead of text.")
    var json = false

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Write all frames with the faces marked: a movie, or pictures.",
            discussion: "A movie ends with .mp4, .mov or .mkv and has no sound; for pictures write frames/%06d.jpg.",
            valueName: "file"))
    var output: String?

    @Flag(help: "Make the faces in --output unrecognisable, instead of drawing boxes.")
    var mosaic = false

    @Option(
        help: ArgumentHelp(
            "What finds the faces: cascade, cascade:FILE, or yunet:MODEL with an ONNX file of yours.",
            valueName: "engine"),
        transform: EngineArgument.init(argument:))
    var engine = EngineArgument(engine: .cascade())

    @Option(
        help: ArgumentHelp(
            "Smaller faces are not looked for; 30x30 unless given. The larger, the faster.", valueName: "size"),
        transform: SizeArgument.init(argument:))
    var smallest: SizeArgument?

    @Option(help: "A face is where more than so many windows of the cascade agree; 2 unless given.")
    var neighbours: Int?

    @Flag(help: "Look for eyes and mouth in each face.")
    var features = false

    @Option(help: "Stop after so many frames.")
    var count: Int?

    @Option(
        help: ArgumentHelp("Stop after so long. Example: --duration 10s", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var duration: DurationArgument?

    @Flag(help: "Replace files that are there.")
    var overwrite = false

    @Flag(name: [.short, .long], help: "No summary; the lines and errors alone.")
    var quiet = false

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be 1 or more.") }
        if let neighbours, !(0...1000).contains(neighbours) {
            throw ValidationError("--neighbours must be 0 to 1000.")
        }
        if mosaic, output == nil { throw ValidationError("--mosaic is for --output.") }
    }

    func run() async throws {
        try await Detection(self).run()
    }
}

/// What finds faces: `cascade`, `cascade:FILE` or `yunet:MODEL`.
struct EngineArgument: Sendable, Hashable {
    let engine: FaceDetector.Engine

    init(engine: FaceDetector.Engine) {
        self.engine = engine
    }

    /// - Throws: `ValidationError` for anything else.
    init(argument: String) throws {
        let words = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (words[0], words.count == 2 ? words[1] : nil) {
        case ("cascade", nil): engine = .cascade()
        case ("cascade", let file?) where !file.isEmpty: engine = .cascade(file: file)
        case ("yunet", let model?) where !model.isEmpty: engine = .yunet(model: model)
        default: throw ValidationError("Write cascade, cascade:FILE or yunet:MODEL.")
        }
    }
}

#endif
