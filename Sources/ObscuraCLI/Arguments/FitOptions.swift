// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The fit of frames to a size with another aspect ratio.
struct FitOptions: ParsableArguments {
    @Option(help: "How to fit another aspect ratio into --size: crop (fill, the default), fit inside, or stretch.")
    private(set) var fit: ImageRequest.Fit?
}
