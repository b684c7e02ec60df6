// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// A camera by its ID, its device node or its position, with or without the prefix `camera:`.
struct CameraArgument: ExpressibleByArgument {
    /// The source name in the terms of the library.
    let source: String

    init(argument: String) {
        let isWhole = argument == "camera" || argument.hasPrefix("camera:") || argument == "pattern"
        source = isWhole ? argument : "camera:\(argument)"
    }
}
