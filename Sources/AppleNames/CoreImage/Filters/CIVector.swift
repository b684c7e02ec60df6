// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A list of numbers, such as the coordinates of a point or the factors of colors.
public final class CIVector: Sendable {
    private let values: [CGFloat]

    private init(_ values: [CGFloat]) {
        self.values = values
    }

    /// Creates a list of `count` numbers.
    public convenience init(values: UnsafePointer<CGFloat>, count: Int) {
        self.init(Array(UnsafeBufferPointer(start: values, count: max(0, count))))
    }

    /// Creates a list of one number.
    public convenience init(x: CGFloat) { self.init([x]) }

    /// Creates a list of two numbers.
    public convenience init(x: CGFloat, y: CGFloat) { self.init([x, y]) }

    /// Creates a list of three numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat) { self.init([x, y, z]) }

    /// Creates a list of four numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat, w: CGFloat) { self.init([x, y, z, w]) }

    /// Creates a list of the coordinates of a point.
    public convenience init(cgPoint point: CGPoint) { self.init([point.x, point.y]) }

    /// Creates a list of origin, width and height of a rectangle.
    public convenience init(cgRect rect: CGRect) {
        self.init([rect.origin.x, rect.origin.y, rect.size.width, rect.size.height])
    }

    /// The length of the list.
    public var count: Int { values.count }

    /// Returns the number at an index; 0 for an index outside of the list.
    public func value(at index: Int) -> CGFloat { values.indices.contains(index) ? values[index] : 0 }

    /// The first number.
    public var x: CGFloat { value(at: 0) }
    /// The second number.
    public var y: CGFloat { value(at: 1) }
    /// The third number.
    public var z: CGFloat { value(at: 2) }
    /// The fourth number.
    public var w: CGFloat { value(at: 3) }
    /// The first two numbers, as a point.
    public var cgPointValue: CGPoint { CGPoint(x: x, y: y) }
    /// The first four numbers, as a rectangle.
    public var cgRectValue: CGRect { CGRect(x: x, y: y, width: z, height: w) }
}

extension CIVector: Hashable {
    /// Whether both have the same numbers.
    public static func == (one: CIVector, other: CIVector) -> Bool { one.values == other.values }

    /// Hashes the numbers.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }
}
