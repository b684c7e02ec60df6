// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// One operation on the picture of an image. Coordinates are those of the picture: from the top left corner.
enum ImageStep: Sendable {
    case crop(PixelRect)
    /// Rotates, and then mirrors horizontally.
    case orient(Orientation, isMirrored: Bool)
    case scale(PixelSize)
    /// An effect. If `isForRGB`, YUV is converted first.
    case effect(VideoEffect, isForRGB: Bool = false)
    case edit(StillEdit)
    /// Another picture over this one, which is rendered when it is needed; nil has no effect.
    case overlay(x: Int, y: Int, @Sendable () throws -> PixelBuffer?)
    /// A transform that is neither a rotation by a multiple of 90 degrees nor a scaling.
    case warp(PixelWarp)
}
