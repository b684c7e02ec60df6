// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// A crop area: an aspect ratio such as `4:3`, or pixels such as `640x480` and `640x480+100+50`.
struct CropArgument: Sendable, Hashable {
    private enum Part: Hashable {
        case shape(Double, Double)
        /// An area in pixels. If `corner` is nil, the area is centered.
        case pixels(PixelSize, corner: Pair?)
    }

    private struct Pair: Hashable {
        let x: Int
        let y: Int
    }

    private let part: Part
    private let text: String

    /// - Throws: `ValidationError` for any other text.
    init(argument: String) throws {
        text = argument
        let shape = argument.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        if shape.count == 2, let across = shape[0], let down = shape[1], across > 0, down > 0,
            (0.001...1000).contains(across / down)
        {
            part = .shape(across, down)
            return
        }
        let words = argument.split(separator: "+", omittingEmptySubsequences: false)
        let corner = words.dropFirst().compactMap { Int($0) }
        guard let first = words.first, let size = try? SizeArgument(argument: String(first)).size,
            words.count == 1 || (words.count == 3 && corner.count == 2 && corner.allSatisfy { $0 >= 0 })
        else {
            throw ValidationError("Write an aspect ratio as 4:3, or pixels as 640x480 or 640x480+100+50.")
        }
        part = .pixels(size, corner: corner.count == 2 ? Pair(x: corner[0], y: corner[1]) : nil)
    }

    /// Returns the crop area in an image of `size`.
    ///
    /// - Throws: `ValidationError` if the area is not within the image.
    func part(of size: PixelSize) throws -> UnitRect {
        switch part {
        case .shape(let across, let down): return UnitRect(centred: across, to: down, in: size)
        case .pixels(let wanted, let corner):
            let x = corner?.x ?? (size.width - wanted.width) / 2
            let y = corner?.y ?? (size.height - wanted.height) / 2
            guard x >= 0, y >= 0, wanted.width <= size.width - x, wanted.height <= size.height - y else {
                throw ValidationError("--crop \(text) does not fit into the photo, which is \(size) after rotation.")
            }
            return UnitRect(PixelRect(x: x, y: y, width: wanted.width, height: wanted.height), in: size)
        }
    }
}
