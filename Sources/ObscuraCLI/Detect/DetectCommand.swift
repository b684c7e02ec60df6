// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// Detects faces in the frames of a source.
struct DetectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect",
        abstract: "Detect faces in the frames of a camera or a movie.",
        discussion: """
            Prints one line for each frame with faces: the time and the number of the frame, and for each face its id, \
            rectangle and confidence. The rectangle is WIDTHxHEIGHT+X+Y in pixels of the upright frame; the confidence \
            is 0 to 1.

            Examples:
              obscura detect film.mp4
              obscura detect camera --json | jq .faces
              obscura detect film.mp4 -o annotated.mp4
              obscura detect camera --mosaic -o hidden.mp4 --duration 10s
            """)

    @OptionGroup
    var source: SourceOptions

    @OptionGroup
    var lines: JSONOptions

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Movie or image files to which the frames are written, with a box around each face.",
            discussion: "A movie (mp4, mov, mkv) has no sound. Image files need a pattern, such as frames/%06d.jpg.",
            valueName: "file"))
    var output: String?

    @Flag(help: "Hide the faces in --output with a mosaic, instead of drawing boxes.")
    var mosaic = false

    @Option(
        help: ArgumentHelp(
            "Face detector: 'cascade', 'cascade:FILE' or 'yunet:MODEL' (default: cascade).",
            discussion: """
                'cascade' uses the OpenCV cascade for frontal faces; FILE is another cascade of OpenCV. 'yunet' uses \
                the neural network YuNet; MODEL is its ONNX file.
                """,
            valueName: "engine"),
        transform: EngineArgument.init(argument:))
    var engine = EngineArgument(engine: .cascade())

    @Option(
        help: ArgumentHelp(
            "Smallest face to look for, in pixels (default: 30x30). A larger size makes the search faster.",
            valueName: "size"),
        transform: SizeArgument.init(argument:))
    var smallest: SizeArgument?

    @Option(
        help: ArgumentHelp(
            "Strictness of the engine 'cascade': larger means fewer false faces; 0 to 1000 (default: 2).",
            discussion: """
                The engine finds a face several times, at nearly the same place. A face is reported if it was found \
                more than this number of times. With a larger number, more faces are missed.
                """))
    var neighbours: Int?

    @Flag(
        help: ArgumentHelp(
            "Also detect the eyes and the mouth of each face.",
            discussion: "Eyes and mouths are printed only with --json, and are marked in --output."))
    var features = false

    @OptionGroup
    var limits: LimitOptions

    @OptionGroup
    var overwriting: OverwriteOptions

    @OptionGroup
    var verbosity: QuietOptions

    func validate() throws {
        if let neighbours, !(0...1000).contains(neighbours) {
            throw ValidationError("--neighbours must be 0 to 1000.")
        }
        if mosaic, output == nil { throw ValidationError("--mosaic needs --output.") }
    }
}

/// A face detection engine: `cascade`, `cascade:FILE` or `yunet:MODEL`.
struct EngineArgument: Sendable, Hashable {
    let engine: FaceDetector.Engine

    init(engine: FaceDetector.Engine) {
        self.engine = engine
    }

    /// - Throws: `ValidationError` for any other text.
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
