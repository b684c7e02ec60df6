// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension UIImage {
    /// The orientation with which pixels are stored. The names are those of `CGImagePropertyOrientation`, but the raw
    /// values differ.
    public enum Orientation: Int, Sendable, CaseIterable {
        /// Upright.
        case up
        /// Upside down.
        case down
        /// The image becomes upright by a rotation by 270 degrees clockwise.
        case left
        /// The image becomes upright by a rotation by 90 degrees clockwise.
        case right
        /// Mirrored horizontally.
        case upMirrored
        /// Mirrored vertically.
        case downMirrored
        /// The image becomes upright by a rotation by 90 degrees clockwise, and then by mirroring horizontally.
        case leftMirrored
        /// The image becomes upright by a rotation by 270 degrees clockwise, and then by mirroring horizontally.
        case rightMirrored

        /// The same orientation, with the raw values of EXIF.
        var stored: CGImagePropertyOrientation {
            switch self {
            case .up: .up
            case .down: .down
            case .left: .left
            case .right: .right
            case .upMirrored: .upMirrored
            case .downMirrored: .downMirrored
            case .leftMirrored: .leftMirrored
            case .rightMirrored: .rightMirrored
            }
        }

        init(_ stored: CGImagePropertyOrientation) {
            self =
                switch stored {
                case .up: .up
                case .down: .down
                case .left: .left
                case .right: .right
                case .upMirrored: .upMirrored
                case .downMirrored: .downMirrored
                case .leftMirrored: .leftMirrored
                case .rightMirrored: .rightMirrored
                }
        }
    }
}
