// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A table of colours as graders and cameras hand it on: a `.cube` file, after Adobe's "Cube LUT Specification" 1.0.
///
/// A table of one dimension has a curve for each of red, green and blue; one of three has a colour for each node of a
/// cube, red changing fastest. Both may say which numbers their first and last entries stand for (`DOMAIN_MIN`,
/// `DOMAIN_MAX`, or Resolve's `LUT_1D_INPUT_RANGE` and `LUT_3D_INPUT_RANGE`); without a word it is 0 and 1.
public struct CubeFile: Sendable, Hashable {
    /// What a table is a function of.
    public enum Dimension: String, Sendable, Hashable {
        /// Of each channel alone.
        case one
        /// Of all three channels.
        case three
    }

    /// The longest side of a cube that is read: 2 million colours.
    public static let largestCube = 128
    /// The longest curve that is read.
    public static let longestCurve = 65536

    /// What the file calls itself.
    public let title: String?
    /// What the table is a function of.
    public let dimension: Dimension
    /// Entries of a curve, or along each side of the cube.
    public let size: Int
    /// The numbers of red, green and blue that the first entries stand for.
    public let domainMinimum: SIMD3<Double>
    /// The numbers of red, green and blue that the last entries stand for.
    public let domainMaximum: SIMD3<Double>
    /// Red, green and blue of each entry, 0 to 1 and sometimes beyond.
    public let colors: [SIMD3<Float>]

    /// By what is cheap to look at: a table is hashed with each frame.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(dimension)
        hasher.combine(size)
        hasher.combine(colors[colors.count / 2])
    }
}
