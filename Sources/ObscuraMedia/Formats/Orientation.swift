// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// One of four turns of a picture, clockwise: where the top of the picture goes.
public enum Orientation: String, Sendable, Hashable, CaseIterable, Codable {
    /// As it is.
    case up
    /// Turned by 90 degrees clockwise.
    case right
    /// Turned by 180 degrees.
    case down
    /// Turned by 270 degrees clockwise.
    case left

    /// The turn, in degrees clockwise.
    public var degrees: Int {
        switch self {
        case .up: 0
        case .right: 90
        case .down: 180
        case .left: 270
        }
    }

    /// The turn of `degrees` clockwise, rounded to the nearest quarter.
    public init(degrees: Int) {
        let quarters = (Double(degrees) / 90).rounded().truncatingRemainder(dividingBy: 4)
        switch Int(quarters + 4) % 4 {
        case 1: self = .right
        case 2: self = .down
        case 3: self = .left
        default: self = .up
        }
    }

    /// Whether width and height change places.
    public var isTransposed: Bool {
        self == .right || self == .left
    }

    /// This turn, and then `other`.
    public func followed(by other: Orientation) -> Orientation {
        Orientation(degrees: degrees + other.degrees)
    }
}
