// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// Whether only errors are shown.
struct QuietOptions: ParsableArguments {
    @Flag(name: [.short, .long], help: "Print only errors: no progress and no summary.")
    private(set) var quiet = false
}
