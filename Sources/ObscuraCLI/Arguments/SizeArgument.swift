// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// A size such as `640x360`, each side 1 to 32768 pixels.
struct SizeArgument: Sendable, Hashable {
    let size: PixelSize

    /// - Throws: `ValidationError` for any other text.
    init(argument: String) throws {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, let width = Self.side(sides[0]), let height = Self.side(sides[1]) else {
            throw ValidationError("Write a size such as 640x360, with sides of 1 to 32768 pixels.")
        }
        size = PixelSize(width: width, height: height)
    }

    private static func side(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }), let side = Int(text),
            (1...32768).contains(side)
        else { return nil }
        return side
    }
}
