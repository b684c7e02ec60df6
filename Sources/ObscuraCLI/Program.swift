// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import Glibc
internal import Logging
internal import Obscura
internal import ObscuraBase

/// The entry point of the tool.
@main
enum Program {
    /// Not async: if no thread can be created, an async `main` would hang before its first line.
    static func main() {
        ProcessNeeds.shareArenas()
        LoggingSystem.bootstrap { TerminalLog(label: $0) }
        if let lack = ProcessNeeds.lack() {
            Terminal.complain(.missing(lack))
            // `pick` tells a failure from a cancellation by its code.
            exit(CommandLine.arguments.dropFirst().first == "pick" ? 2 : 1)
        }
        Task { @MainActor in
            await ObscuraTool.main()
        }
        dispatchMain()
    }
}
