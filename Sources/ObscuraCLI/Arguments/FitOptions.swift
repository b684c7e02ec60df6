// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// How frames of another aspect ratio fit the size that was asked for.
struct FitOptions: ParsableArguments {
    @Option(help: "How to fit another aspect ratio into --size: crop (fill, the default), fit inside, or stretch.")
    private(set) var fit: ImageRequest.Fit?
}
