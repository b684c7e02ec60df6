// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A color lookup table: a `.cube` file as specified by Adobe's "Cube LUT Specification" 1.0.
///
/// A one-dimensional table has a curve for each of red, green and blue. A three-dimensional table has a color for each
/// node of a cube, in an order in which red changes fastest. The file can set the input values of the first and last
/// entries (`DOMAIN_MIN`, `DOMAIN_MAX`, or Resolve's `LUT_1D_INPUT_RANGE` and `LUT_3D_INPUT_RANGE`); by default they
/// are 0 and 1.
public struct CubeFile: Sendable, Hashable {
    /// The number of dimensions of a table.
    public enum Dimension: String, Sendable, Hashable {
        /// A curve for each channel.
        case one
        /// A cube for all three channels.
        case three
    }

    /// Maximum number of entries along a side of a cube. A cube of this size has about 2 million entries.
    public static let largestCube = 128
    /// Maximum number of entries of a curve.
    public static let longestCurve = 65536

    /// The title of the table; nil if the file has no title.
    public let title: String?
    /// The number of dimensions.
    public let dimension: Dimension
    /// The number of entries of each curve, or along each side of the cube.
    public let size: Int
    /// The input values of red, green and blue to which the first entries apply, usually 0.
    public let domainMinimum: SIMD3<Double>
    /// The input values of red, green and blue to which the last entries apply, usually 1.
    public let domainMaximum: SIMD3<Double>
    /// The output values of each entry: red, green and blue, usually 0 to 1.
    public let colors: [SIMD3<Float>]

    /// Hashes only a part of the table, so that hashing an effect for each frame is fast.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(dimension)
        hasher.combine(size)
        hasher.combine(colors[colors.count / 2])
    }
}
