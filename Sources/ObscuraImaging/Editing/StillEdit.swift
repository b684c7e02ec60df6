// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// One edit of a photo. Edits chain: each applies to the result of the previous one.
public enum StillEdit: Sendable, Hashable {
    /// Crops to a part, in whole pixels.
    case crop(UnitRect)
    /// Rotates clockwise by a multiple of 90 degrees. Changes no pixel.
    case rotate(Orientation)
    /// Mirrors horizontally.
    case mirror
    /// Rotates clockwise by -45 to 45 degrees, and crops to the largest part of the same aspect ratio without empty
    /// corners. Larger angles are limited to 45 degrees: use ``rotate(_:)`` for the rest.
    case straighten(degrees: Double)
    /// Corrects red pupils in these parts, one per eye. Coordinates are those of the picture at this step; the colors
    /// are always those of the original.
    case redEye([UnitRect])
    /// Adjusts light and colors.
    case enhance(Enhancement)
    /// Adjusts light and colors by ``Enhancement/automatic(for:)`` of the picture at this step.
    case autoEnhance
}
