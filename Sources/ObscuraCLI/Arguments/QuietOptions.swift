// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// Whether only errors are shown.
struct QuietOptions: ParsableArguments {
    @Flag(name: [.short, .long], help: "Print no progress, no notes and no summary, only results and errors.")
    private(set) var quiet = false
}
