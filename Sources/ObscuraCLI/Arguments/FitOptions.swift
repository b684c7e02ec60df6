// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The fit of frames to a size with another aspect ratio.
struct FitOptions: ParsableArguments {
    @Option(
        help: """
            How to fit frames whose aspect ratio differs from --size: fill crops the frame (default), aspect keeps the \
            whole frame and makes one side smaller, stretch distorts the frame.
            """)
    private(set) var fit: ImageRequest.Fit?
}
