// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// A camera by its id, its node, or where it looks; with or without the `camera:` that a source has before it.
struct CameraArgument: ExpressibleByArgument {
    /// What the library calls it.
    let source: String

    init(argument: String) {
        let isWhole = argument == "camera" || argument.hasPrefix("camera:") || argument == "pattern"
        source = isWhole ? argument : "camera:\(argument)"
    }
}
