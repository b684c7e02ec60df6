// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Glibc
internal import Obscura

/// The command-line tool.
struct ObscuraTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "obscura",
        abstract: "Capture, record and broadcast every frame of a camera or a movie.",
        discussion: """
            Examples:
              obscura studio
              obscura devices
              obscura photo -o photo.jpg
              obscura extract film.mp4 -o frames/%06d.jpg
              obscura extract camera -o - --format y4m | ffplay -

            Exit codes: 0 done, 1 failed, 64 wrong usage, 130 interrupted by Ctrl-C, 129 interrupted because the \
            terminal was closed.
            Completions for your shell: obscura --generate-completion-script bash|zsh|fish
            """,
        version: ObscuraBuild.version,
        subcommands: subcommands)

    private static var subcommands: [any ParsableCommand.Type] {
        var commands: [any ParsableCommand.Type] = [
            ExtractCommand.self, RecordCommand.self, BroadcastCommand.self, ServeCommand.self,
            PhotoCommand.self, EditCommand.self, TrimCommand.self, DetectCommand.self, ListenCommand.self,
            InfoCommand.self, RecoverCommand.self, DevicesCommand.self, DoctorCommand.self,
        ]
        #if Library
        commands.insert(LibraryCommand.self, at: commands.count - 2)
        #endif
        #if Studio
        commands.insert(StudioCommand.self, at: 0)
        commands.insert(PickCommand.self, at: commands.count - 2)
        #endif
        return commands
    }

    /// Runs the tool. Errors of the library are printed as one sentence with exit code 1; the parser
    /// handles all others.
    static func main() async {
        ProcessTitle.conceal(CommandLine.arguments.filter(ProcessTitle.mayHoldSecret))
        Terminal.surviveClosedPipes()
        Terminal.endAtOnceByQuit()
        do {
            var command = try parseAsRoot(nil)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            end(with: EXIT_SUCCESS)
        } catch let error as ObscuraError {
            Terminal.complain(error)
            end(with: EXIT_FAILURE)
        } catch {
            end(with: error)
        }
    }

    /// Ends the process as the parser does, but prints its text with ``Terminal``: it may contain file names, such as
    /// unexpected arguments from a `*` of the shell.
    private static func end(with error: any Error) -> Never {
        let (text, code) = (fullMessage(for: error), exitCode(for: error))
        if !text.isEmpty {
            if code.isSuccess { Terminal.write("\(text)\n") } else { Terminal.note("\(text)\n") }
        }
        end(with: code.rawValue)
    }

    /// Ends the process with this code, or as failed if the output could not be written.
    private static func end(with code: Int32) -> Never {
        guard let failure = Terminal.outputFailure else { Glibc.exit(code) }
        Terminal.complain("cannot write to standard output: \(failure.reason).")
        Glibc.exit(code == EXIT_SUCCESS ? EXIT_FAILURE : code)
    }
}
