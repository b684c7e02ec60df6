// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// Additional host names of a web server.
struct HostNameOptions: ParsableArguments {
    @Option(
        name: .customLong("host-name"),
        help: ArgumentHelp(
            "Additional host name by which browsers reach the web server, such as kiosk.local; may be repeated.",
            valueName: "name"))
    private(set) var names: [String] = []
}
