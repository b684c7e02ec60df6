// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// The limits of a run over frames.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Stop after this number of frames.", discussion: "Frames that are skipped or dropped are not counted."))
    private(set) var count: Int?

    @OptionGroup
    var duration: DurationOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be 1 or more.") }
    }
}
