// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// What has to do with the cameras and microphones; by itself it lists them.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the cameras and microphones that there are, with their formats, and say what they are.",
        discussion: """
            The first camera is the default one, and so is the first microphone. Any of them can be named by its id: \
            obscura extract camera:ID, obscura listen microphone:ID.

            Examples:
              obscura devices
              obscura devices --json
              obscura devices set /dev/video2 --position front
              obscura devices controls --set brightness=140
            """,
        subcommands: [DevicesListCommand.self, DevicesSetCommand.self, DevicesControlsCommand.self],
        defaultSubcommand: DevicesListCommand.self)
}
