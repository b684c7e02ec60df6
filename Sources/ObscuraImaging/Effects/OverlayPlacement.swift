// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The position of a layer in a frame.
///
/// ```swift
/// .bottomRight            // in the corner
/// .bottomRight(inset: 16) // 16 pixels away from both edges
/// .at(x: 100, y: 50)      // top left corner at this pixel
/// ```
public struct OverlayPlacement: Sendable, Hashable {
    /// The position along one axis.
    public enum Position: Sendable, Hashable {
        /// The distance in pixels from the frame's left edge to the layer's left edge, or from the frame's top edge to
        /// the layer's top edge; may be negative.
        case start(Int)
        /// Centered in the frame.
        case middle
        /// The distance in pixels from the layer's right edge to the frame's right edge, or from the layer's bottom
        /// edge to the frame's bottom edge; may be negative.
        case end(Int)

        /// Returns the start of a layer of `length` pixels along a side of `whole` pixels.
        func offset(of length: Int, in whole: Int) -> Int {
            // Limited to avoid overflow; still outside the frame.
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

    /// Creates a placement from a position along each axis.
    public init(x: Position, y: Position) {
        self.x = x
        self.y = y
    }

    /// Returns the placement with the layer's top left corner at a pixel of the frame.
    public static func at(x: Int, y: Int) -> OverlayPlacement {
        OverlayPlacement(x: .start(x), y: .start(y))
    }

    /// The center of the frame.
    public static let center = OverlayPlacement(x: .middle, y: .middle)
    /// The top left corner.
    public static let topLeft = topLeft(inset: 0)
    /// The top right corner.
    public static let topRight = topRight(inset: 0)
    /// The bottom left corner.
    public static let bottomLeft = bottomLeft(inset: 0)
    /// The bottom right corner.
    public static let bottomRight = bottomRight(inset: 0)

    /// Returns the placement in the top left corner, `inset` pixels away from both edges.
    public static func topLeft(inset: Int) -> OverlayPlacement {
        OverlayPlacement(x: .start(inset), y: .start(inset))
    }

    /// Returns the placement in the top right corner, `inset` pixels away from both edges.
    public static func topRight(inset: Int) -> OverlayPlacement {
        OverlayPlacement(x: .end(inset), y: .start(inset))
    }

    /// Returns the placement in the bottom left corner, `inset` pixels away from both edges.
    public static func bottomLeft(inset: Int) -> OverlayPlacement {
        OverlayPlacement(x: .start(inset), y: .end(inset))
    }

    /// Returns the placement in the bottom right corner, `inset` pixels away from both edges.
    public static func bottomRight(inset: Int) -> OverlayPlacement {
        OverlayPlacement(x: .end(inset), y: .end(inset))
    }
}
