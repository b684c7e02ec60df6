// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura

/// The orientation of stored pixels: the position of their first row and their first column in the upright image. The
/// raw values are those of EXIF.
public enum CGImagePropertyOrientation: UInt32, Sendable, CaseIterable {
    /// Upright.
    case up = 1
    /// Mirrored horizontally.
    case upMirrored = 2
    /// Upside down.
    case down = 3
    /// Mirrored vertically.
    case downMirrored = 4
    /// The image becomes upright by a rotation by 90 degrees clockwise, and then by mirroring horizontally.
    case leftMirrored = 5
    /// The image becomes upright by a rotation by 90 degrees clockwise.
    case right = 6
    /// The image becomes upright by a rotation by 270 degrees clockwise, and then by mirroring horizontally.
    case rightMirrored = 7
    /// The image becomes upright by a rotation by 270 degrees clockwise.
    case left = 8

    /// The clockwise rotation that makes the image upright. It is applied before the mirroring.
    package var turn: Orientation {
        switch self {
        case .up, .upMirrored: .up
        case .down, .downMirrored: .down
        case .right, .leftMirrored: .right
        case .left, .rightMirrored: .left
        }
    }

    /// Whether the picture must be mirrored horizontally after the rotation.
    package var isMirrored: Bool {
        switch self {
        case .up, .down, .left, .right: false
        case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
        }
    }

    package init(turn: Orientation, isMirrored: Bool) {
        self =
            switch turn {
            case .up: isMirrored ? .upMirrored : .up
            case .down: isMirrored ? .downMirrored : .down
            case .right: isMirrored ? .leftMirrored : .right
            case .left: isMirrored ? .rightMirrored : .left
            }
    }
}

/// The key of the quality of a JPEG file, from 0 to 1.
public let kCGImageDestinationLossyCompressionQuality: CFString = "kCGImageDestinationLossyCompressionQuality"
