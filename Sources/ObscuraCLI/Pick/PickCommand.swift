// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Studio

internal import ArgumentParser
internal import Obscura
internal import ObscuraBase
internal import ObscuraStudio

/// Lets a user take or choose photos and movies in a browser.
struct PickCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pick",
        abstract: "Let a user take or choose photos and movies in a browser, and print their paths.",
        discussion: """
            Opens a page in a browser. After the user has finished, the command prints the paths of the files in the \
            order that the user chose. Existing files are never replaced. Closing the page does not end the command: \
            open the address again to continue, or press Ctrl-C to cancel.

            Exit codes: 0 picked, 1 canceled by the user, 2 failed, 64 wrong usage, 130 interrupted by Ctrl-C.

            Examples:
              obscura pick
              obscura pick --count 5 --crop 4:3 --kind photo -o ad --json
              obscura pick --source camera --kind movie --max-duration 30s -o clips
            """)

    @Option(
        help: ArgumentHelp(
            "Maximum number of photos and movies, 1 to 1000 (default: the value of --min).",
            valueName: "number"))
    var count: Int?

    @Option(help: ArgumentHelp("Minimum number of photos and movies.", valueName: "number"))
    var min = 1

    @Option(help: "Kind of file that users can pick; may be repeated (default: photos and movies).")
    var kind: [KindArgument] = []

    @Option(
        help: ArgumentHelp(
            "Source from which users can pick; may be repeated (default: all sources).",
            discussion: """
                'camera': take photos and movies. 'library': the photo library of this machine. 'disk': files of the \
                machine on which the browser runs. 'network': web addresses of JPEG, PNG and movie files.
                """))
    var source: [MediaPickerConfiguration.Source] = []

    @Option(
        help: ArgumentHelp(
            "Aspect ratio to which photos are cropped, such as 4:3. If repeated, users choose one of the ratios.",
            valueName: "ratio"),
        transform: PickCommand.ratio)
    var crop: [AspectRatio] = []

    @Flag(help: "Show an ellipse in the crop frame, for portraits. The photo remains a rectangle.")
    var ellipse = false

    @Flag(help: "Do not let users edit photos.")
    var noEditing = false

    @Flag(help: "Enhance the colors and the brightness of each photo automatically.")
    var enhance = false

    @Option(help: ArgumentHelp("File that is already picked when the page opens; may be repeated.", valueName: "file"))
    var preselect: [String] = []

    @Option(
        help: ArgumentHelp(
            "Camera to use: 'camera', 'camera:front', 'pattern' for the test pattern, or a URL.", valueName: "source"))
    var camera = "camera"

    @Option(help: "Preset that chooses the mode of the camera (size, frame rate and format).")
    var preset = CaptureSession.Preset.high

    @Option(help: "Flash setting when the page opens; with 'auto', the flash fires only in the dark.")
    var flash: PhotoSettings.Flash = .off

    @Option(
        help: ArgumentHelp("Maximum duration of a recorded movie, such as 30s (default: no limit).", valueName: "time"),
        transform: DurationArgument.init(argument:))
    var maxDuration: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Image file to show over the viewfinder, but not in the photos (png, jpg, webp or svg).",
            valueName: "file"))
    var overlay: String?

    @Option(help: ArgumentHelp("Title of the page.", valueName: "text"))
    var title: String?

    @Option(help: ArgumentHelp("Sentence below the title.", valueName: "text"))
    var prompt: String?

    @Option(help: ArgumentHelp("Label of the button that finishes the selection (default: Done).", valueName: "text"))
    var doneLabel: String?

    @Option(help: ArgumentHelp("Label of the button that cancels the selection (default: Cancel).", valueName: "text"))
    var cancelLabel: String?

    @Option(help: ArgumentHelp("Color of the buttons, such as #0b5cc4.", valueName: "color"))
    var accentColor: String?

    @Option(help: ArgumentHelp("Background color of the page, such as #ffffff.", valueName: "color"))
    var backgroundColor: String?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Folder for the picked files; created if missing (default: a new temporary folder).", valueName: "folder"))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Folder of the photo library (default: the folder Obscura in your Pictures folder).", valueName: "folder"))
    var library: String?

    @Option(help: "Port of the page; 0 chooses a free port. Only this machine can connect.")
    var port = 0

    @Flag(help: "Also accept web addresses of this machine and of the local network.")
    var allowPrivateNetwork = false

    @Flag(help: "Do not open a browser; only print the address.")
    var noOpen = false

    @OptionGroup
    var format: JSONOptions

    @OptionGroup
    var verbosity: QuietOptions

    private static func ratio(_ text: String) throws -> AspectRatio {
        guard let ratio = AspectRatio(text) else { throw ValidationError("Write a ratio such as 4:3.") }
        return ratio
    }

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        if let count, count < min { throw ValidationError("--count must be at least --min, which is \(min).") }
        do {
            _ = try MediaPicker(settings)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func run() async throws {
        let picked: [PickedMedia]
        do {
            picked = try await pick()
        } catch let code as ExitCode {
            throw code
        } catch let error as ObscuraError {
            // Not the exit code of a cancellation.
            Terminal.complain(error)
            throw ExitCode(2)
        } catch {
            Terminal.complain(ObscuraError(wrapping: error, as: .command, .failed, subject: "page"))
            throw ExitCode(2)
        }
        try format.write(picked, orText: picked.map { $0.path + "\n" }.joined())
        // The files are in their folder, but the caller does not know them.
        if Terminal.outputFailure != nil { throw ExitCode(2) }
        guard !picked.isEmpty else {
            if !verbosity.quiet { Terminal.note("Canceled.\n") }
            throw ExitCode.failure
        }
    }

    private func pick() async throws -> [PickedMedia] {
        try ProcessNeeds.checkForServer()
        let picker = try MediaPicker(settings)
        let opener = noOpen ? nil : BrowserOpener()
        let (result, code) = await Interruption.cancelling {
            try await picker.pick { address in
                Terminal.note("The page is at \(address)\n")
                opener?.open(address)
            }
        }
        opener?.close()
        // A selection that was finished before the signal is not lost.
        if let code, (try? result.get()) == nil { throw ExitCode(code) }
        return try result.get()
    }

    private var settings: MediaPickerConfiguration {
        var settings = MediaPickerConfiguration()
        (settings.minimumCount, settings.maximumCount) = (min, count ?? Swift.max(1, min))
        if !kind.isEmpty { settings.kinds = Set(kind.map(\.kind)) }
        if !source.isEmpty { settings.sources = Set(source) }
        settings.cropRatios = crop
        settings.mask = ellipse ? .ellipse : nil
        settings.allowsEditing = !noEditing
        settings.enhancesPhotos = enhance
        settings.preselected = preselect
        (settings.camera, settings.preset, settings.flash) = (camera, preset, flash)
        settings.maximumMovieDuration = maxDuration?.time.seconds
        settings.overlay = overlay
        settings.title = title ?? settings.title
        settings.prompt = prompt
        settings.doneLabel = doneLabel ?? settings.doneLabel
        settings.cancelLabel = cancelLabel ?? settings.cancelLabel
        settings.accentColor = accentColor
        settings.backgroundColor = backgroundColor
        settings.outputFolder = output
        settings.libraryFolder = library ?? settings.libraryFolder
        settings.port = port
        settings.networkAccess = allowPrivateNetwork ? .everywhere : .publicOnly
        return settings
    }
}

#endif
