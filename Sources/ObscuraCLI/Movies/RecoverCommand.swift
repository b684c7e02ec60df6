// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import FoundationEssentials
internal import Obscura

/// Recovers recordings after a crash.
struct RecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Recover recordings after a crash or a power loss.",
        discussion: """
            While movie.mp4 is being recorded, its name is movie.recording.mp4. In a folder, all files with such a \
            name are recovered, except those that are still being recorded. Nothing is encoded again.

            After the recovery, movie.recording.mp4 is deleted. The file is kept if some data could not be read, or \
            if --output is given.

            Exit codes: 0 if everything was recovered, or there was nothing to recover; 1 otherwise.

            Examples:
              obscura recover movie.recording.mp4
              obscura recover ~/Movies
              obscura recover broken.mp4 --output mended.mp4
            """)

    @Argument(help: "Partial recording, such as movie.recording.mp4, or a folder with partial recordings.")
    var path: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Movie to write (default: movie.mp4 for movie.recording.mp4).",
            discussion: "With this option, the partial recording is kept."))
    var output: String?

    @OptionGroup
    var overwriting: OverwriteOptions

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError("--output needs a file name.") }
        if output != nil, isFolder { throw ValidationError("--output cannot be combined with a folder.") }
    }

    private var isFolder: Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    func run() throws {
        guard isFolder else {
            let isWhole = Self.tell(try MovieRecovery.recover(path, to: output, overwrites: overwriting.overwrite))
            if !isWhole { throw ExitCode.failure }
            return
        }
        let outcomes = try MovieRecovery.recover(folder: path, overwrites: overwriting.overwrite)
        if outcomes.isEmpty { Terminal.write("\(path): nothing to recover.\n") }
        var hasFailed = false
        for outcome in outcomes {
            switch outcome.result {
            case .success(let recovery): hasFailed = !Self.tell(recovery) || hasFailed
            case .failure(let error) where error.code == .stillRecording:
                Terminal.write("\(outcome.source): still being recorded; skipped\n")
            case .failure(let error):
                Terminal.complain(error)
                hasFailed = true
            }
        }
        if hasFailed { throw ExitCode.failure }
    }

    /// Reports the result for a file, and returns whether all of it was recovered.
    private static func tell(_ recovery: MovieRecovery.Recovery) -> Bool {
        let length = recovery.movie.duration.map { ", \(MovieListing.seconds($0))" } ?? ""
        let source = "\(recovery.source) \(recovery.isSourceKept ? "is kept" : "is removed")"
        Terminal.write("\(recovery.movie.location): recovered\(length); \(source)\n")
        guard let loss = recovery.loss else { return true }
        let bytes = loss.byteCount.map { "\($0) bytes" } ?? "the data"
        Terminal.complain(
            "\(recovery.source): the file is damaged; \(bytes) after \(MovieListing.seconds(loss.time)) could not be read."
        )
        return false
    }
}
