// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ArgumentParser
public import Obscura

/// The size of a photo: `largest`, or pixels such as `1920x1080`.
struct PhotoSizeArgument: Sendable, Hashable {
    let size: PhotoSettings.Size

    /// - Throws: `ValidationError` for any other text.
    init(argument: String) throws {
        if argument == "largest" {
            size = .largest
        } else {
            guard let pixels = try? SizeArgument(argument: argument).size, max(pixels.width, pixels.height) <= 16384
            else {
                throw ValidationError("Write largest, or a size such as 1920x1080, with sides of 1 to 16384 pixels.")
            }
            size = .pixels(pixels)
        }
    }
}

extension PhotoSettings.Flash: ExpressibleByArgument {}
