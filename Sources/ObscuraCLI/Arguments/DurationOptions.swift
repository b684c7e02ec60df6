// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The length of a run.
struct DurationOptions: ParsableArguments {
    @Option(
        name: [.customLong("duration"), .customLong("max-duration")],
        help: ArgumentHelp(
            "Stop after this time, such as 10 (seconds), 1.5s, 5m or 00:01:30.",
            discussion: "Without this option, the command runs until the source ends or Ctrl-C is pressed.",
            valueName: "time"),
        transform: DurationArgument.init(argument:))
    private var limit: DurationArgument?

    func validate() throws {
        if limit?.time == .zero { throw ValidationError("--duration must be greater than 0.") }
    }

    /// The time limit; nil for none.
    var time: MediaTime? { limit?.time }
}
