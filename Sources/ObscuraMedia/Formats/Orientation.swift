// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A rotation in steps of 90 degrees, clockwise; each case names the side to which the top of the frame moves.
public enum Orientation: String, Sendable, Hashable, CaseIterable, Codable {
    /// No rotation.
    case up
    /// Rotated by 90 degrees clockwise.
    case right
    /// Rotated by 180 degrees.
    case down
    /// Rotated by 270 degrees clockwise.
    case left

    /// The rotation, in degrees clockwise.
    public var degrees: Int {
        switch self {
        case .up: 0
        case .right: 90
        case .down: 180
        case .left: 270
        }
    }

    /// Creates a rotation of `degrees` clockwise, rounded to the nearest multiple of 90.
    public init(degrees: Int) {
        let quarters = (degrees.magnitude + 45) / 90 % 4
        switch degrees < 0 ? (4 - quarters) % 4 : quarters {
        case 1: self = .right
        case 2: self = .down
        case 3: self = .left
        default: self = .up
        }
    }

    /// Whether the rotation swaps width and height.
    public var isTransposed: Bool {
        self == .right || self == .left
    }

    /// Returns the combination of two rotations: first this rotation, then `other`.
    public func followed(by other: Orientation) -> Orientation {
        Orientation(degrees: degrees + other.degrees)
    }
}
