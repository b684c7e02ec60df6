// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// One change of a photo. Edits chain: each means the picture that the one before it leaves.
public enum StillEdit: Sendable, Hashable {
    /// Leaves a part, of whole pixels.
    case crop(UnitRect)
    /// A quarter turn, or two, clockwise. No pixel is changed.
    case rotate(Orientation)
    /// Left and right change places.
    case mirror
    /// Turns the picture by degrees from -45 to 45, clockwise, and leaves the largest part of its own shape that has
    /// no empty corners. More than 45 degrees count as 45: use ``rotate(_:)`` for the rest.
    case straighten(degrees: Double)
    /// Mends red pupils in these parts, each an eye's. Places are those of the picture at this step; the colours that
    /// are judged are always the original's.
    case redEye([UnitRect])
    /// Changes light and colours.
    case enhance(Enhancement)
    /// Changes light and colours by ``Enhancement/automatic(for:)`` of the picture at this step.
    case autoEnhance
}
