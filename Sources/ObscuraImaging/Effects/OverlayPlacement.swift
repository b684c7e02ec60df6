// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The position of a layer in a picture.
///
/// ```swift
/// .bottomRight            // in the corner
/// .bottomRight(inset: 16) // 16 pixels away from both edges
/// .at(x: 100, y: 50)      // its top left corner there
/// ```
public struct OverlayPlacement: Sendable, Hashable {
    /// The position along one axis.
    public enum Position: Sendable, Hashable {
        /// Pixels from the left or top edge of the picture to that of the layer; may be negative.
        case start(Int)
        /// Centered.
        case middle
        /// Pixels from the right or bottom edge of the layer to that of the picture; may be negative.
        case end(Int)

        /// The start of a layer of `length` in a picture of `whole`.
        func offset(of length: Int, in whole: Int) -> Int {
            // Limited to avoid overflow; still outside the picture.
            let limit = 1 << 20
            switch self {
            case .start(let distance): return min(max(-limit, distance), limit)
            case .middle: return (whole - length) / 2
            case .end(let distance): return whole - length - min(max(-limit, distance), limit)
            }
        }
    }

    /// The horizontal position.
    public var x: Position
    /// The vertical position.
    public var y: Position

    /// A position along both axes.
    public init(x: Position, y: Position) {
        self.x = x
        self.y = y
    }

    /// The layer's top left corner at a pixel of the picture.
    public static func at(x: Int, y: Int) -> OverlayPlacement {
        OverlayPlacement(x: .start(x), y: .start(y))
    }

    /// Centered.
    public static let center = OverlayPlacement(x: .middle, y: .middle)
    /// In the top left corner.
    public static let topLeft = topLeft(inset: 0)
    /// In the top right corner.
    public static let topRight = topRight(inset: 0)
    /// In the bottom left corner.
    public static let bottomLeft = bottomLeft(inset: 0)
    /// In the bottom right corner.
    public static let bottomRight = bottomRight(inset: 0)

    /// In the top left corner, with a distance from the edges in pixels.
    public static func topLeft(inset: Int) -> OverlayPlacement {
        OverlayPlacement(x: .start(inset), y: .start(inset))
    }

    /// In the top right corner, with a distance from the edges in pixels.
    public static func topRight(inset: Int) -> OverlayPlacement {
        OverlayPlacement(x: .end(inset), y: .start(inset))
    }

    /// In the bottom left corner, with a distance from the edges in pixels.
    public static func bottomLeft(inset: Int) -> OverlayPlacement {
        OverlayPlacement(x: .start(inset), y: .end(inset))
    }

    /// In the bottom right corner, with a distance from the edges in pixels.
    public static func bottomRight(inset: Int) -> OverlayPlacement {
        OverlayPlacement(x: .end(inset), y: .end(inset))
    }
}
