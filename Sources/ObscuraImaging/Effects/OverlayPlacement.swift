// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Where in a picture another one is laid.
///
/// ```swift
/// .bottomRight            // in the corner
/// .bottomRight(inset: 16) // 16 pixels away from both edges
/// .at(x: 100, y: 50)      // its top left corner there
/// ```
public struct OverlayPlacement: Sendable, Hashable {
    /// A place along one direction.
    public enum Position: Sendable, Hashable {
        /// So many pixels from the left or upper edge to that of the layer; may be negative.
        case start(Int)
        /// In the middle.
        case middle
        /// So many pixels from the right or lower edge of the layer to that of the picture; may be negative.
        case end(Int)

        /// Where a layer of `length` begins in a picture of `whole`.
        func offset(of length: Int, in whole: Int) -> Int {
            // Far enough to be outside, and not so far that numbers overflow.
            let limit = 1 << 20
            switch self {
            case .start(let distance): return min(max(-limit, distance), limit)
            case .middle: return (whole - length) / 2
            case .end(let distance): return whole - length - min(max(-limit, distance), limit)
            }
        }
    }

    /// From left to right.
    public var x: Position
    /// From top to bottom.
    public var y: Position

    /// At places along both directions.
    public init(x: Position, y: Position) {
        self.x = x
        self.y = y
    }

    /// The layer's top left corner at a pixel of the picture.
    public static func at(x: Int, y: Int) -> OverlayPlacement {
        OverlayPlacement(x: .start(x), y: .start(y))
    }

    /// In the middle.
    public static let center = OverlayPlacement(x: .middle, y: .middle)
    /// In the top left corner.
    public static let topLeft = topLeft(inset: 0)
    /// In the top right corner.
    public static let topRight = topRight(inset: 0)
    /// In the bottom left corner.
    public static let bottomLeft = bottomLeft(inset: 0)
    /// In the bottom right corner.
    public static let bottomRight = bottomRight(inset: 0)

    /// In the top left corner, so many pixels away from the edges.
    public static func topLeft(inset: Int) -> OverlayPlacement {
        OverlayPlacement(x: .start(inset), y: .start(inset))
    }

    /// In the top right corner, so many pixels away from the edges.
    public static func topRight(inset: Int) -> OverlayPlacement {
        OverlayPlacement(x: .end(inset), y: .start(inset))
    }

    /// In the bottom left corner, so many pixels away from the edges.
    public static func bottomLeft(inset: Int) -> OverlayPlacement {
        OverlayPlacement(x: .start(inset), y: .end(inset))
    }

    /// In the bottom right corner, so many pixels away from the edges.
    public static func bottomRight(inset: Int) -> OverlayPlacement {
        OverlayPlacement(x: .end(inset), y: .end(inset))
    }
}
