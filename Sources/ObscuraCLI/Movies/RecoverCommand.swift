// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import FoundationEssentials
internal import Obscura

/// Makes ordinary movies of what a crash has left.
struct RecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Make ordinary movies of recordings that a crash or a power cut has broken off.",
        discussion: """
            While movie.mp4 is recorded, it is movie.recording.mp4. Of a folder, all files of such a name are \
            recovered; those that are being recorded at this moment are left alone. Nothing is encoded anew.

            movie.recording.mp4 is removed when all that was whole in it is in movie.mp4. It is kept when something \
            in it could not be read, and with --output always.

            Exit codes: 0 when everything was recovered, also when there was nothing; 1 when something was not.

            Examples:
              obscura recover movie.recording.mp4
              obscura recover ~/Movies
              obscura recover broken.mp4 --output mended.mp4
            """)

    @Argument(help: "A partial file, or a folder with such files.")
    var path: String

    @Option(
        name: [.short, .long],
        help: "The movie to make of the file, which then stays; otherwise its name without “.recording”.")
    var output: String?

    @Flag(help: "Replace a movie that is there already.")
    var overwrite = false

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError("--output needs the name of a file.") }
        if output != nil, isFolder { throw ValidationError("--output goes with a file, not with a folder.") }
    }

    private var isFolder: Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    func run() throws {
        guard isFolder else {
            let isWhole = Self.tell(try MovieRecovery.recover(path, to: output, overwrites: overwrite))
            if !isWhole { throw ExitCode.failure }
            return
        }
        let outcomes = try MovieRecovery.recover(folder: path, overwrites: overwrite)
        if outcomes.isEmpty { Terminal.write("\(path): nothing to recover.\n") }
        var hasFailed = false
        for outcome in outcomes {
            switch outcome.result {
            case .success(let recovery): hasFailed = !Self.tell(recovery) || hasFailed
            case .failure(let error) where error.code == .stillRecording:
                Terminal.write("\(outcome.source): is being recorded, and is left alone\n")
            case .failure(let error):
                Terminal.complain(error)
                hasFailed = true
            }
        }
        if hasFailed { throw ExitCode.failure }
    }

    /// Says what became of the file, and returns whether all of it was recovered.
    private static func tell(_ recovery: MovieRecovery.Recovery) -> Bool {
        let length = recovery.movie.duration.map { ", \(MovieListing.seconds($0))" } ?? ""
        let source = "\(recovery.source) \(recovery.isSourceKept ? "is kept" : "is removed")"
        Terminal.write("\(recovery.movie.location): recovered\(length); \(source)\n")
        guard let loss = recovery.loss else { return true }
        let bytes = loss.byteCount.map { "\($0) bytes" } ?? "what lies"
        Terminal.complain(
            "\(recovery.source): it is damaged; \(bytes) behind \(MovieListing.seconds(loss.time)) could not be read.")
        return false
    }
}
