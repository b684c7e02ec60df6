// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// What has to do with the cameras; by itself it lists them.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the cameras that there are, with their formats, and set their controls.",
        discussion: """
            The first camera is the default one. Any of them can be named by its id: obscura extract camera:ID.

            Examples:
              obscura devices
              obscura devices --json
              obscura devices controls
            """,
        subcommands: [DevicesListCommand.self, DevicesControlsCommand.self], defaultSubcommand: DevicesListCommand.self)
}
