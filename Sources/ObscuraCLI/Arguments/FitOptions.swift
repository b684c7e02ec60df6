// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The fit of frames to a size with another aspect ratio.
struct FitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How to fit the image into --size if its aspect ratio is different (default: fill).",
            discussion: """
                'fill' crops the image. 'aspect' keeps the whole image; one side is then smaller than in --size. \
                'stretch' distorts the image.
                """))
    private(set) var fit: ImageRequest.Fit?
}
