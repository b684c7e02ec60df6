// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// Whether the output is JSON.
struct JSONOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Print JSON instead of text.",
            discussion: "Commands that print while they run print one JSON object per line."))
    private(set) var json = false

    /// Writes a value as JSON, or as `text`, to standard output.
    func write(_ value: some Encodable, orText text: @autoclosure () throws -> String) throws {
        Terminal.write(json ? try JSONText.make(value) + "\n" : try text())
    }
}
