// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// Lists and configures cameras and microphones.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the cameras and microphones with their formats, or change the settings of a camera.",
        discussion: """
            The first camera and the first microphone are the defaults. Choose another device by its id: \
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
