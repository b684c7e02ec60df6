// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// Additional host names of a web server.
struct HostNameOptions: ParsableArguments {
    @Option(
        name: .customLong("host-name"),
        help: ArgumentHelp(
            "Host name under which browsers can open the web server, such as kiosk.local; may be repeated.",
            discussion: "Not needed for IP addresses and for localhost.",
            valueName: "name"))
    private(set) var names: [String] = []
}
