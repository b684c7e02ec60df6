// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// One edit of a photo. In a list of edits, each edit applies to the result of the previous edit.
public enum StillEdit: Sendable, Hashable {
    /// Crops to a part of the picture, rounded to whole pixels.
    case crop(UnitRect)
    /// Rotates clockwise by a multiple of 90 degrees. Pixels are moved, but not changed.
    case rotate(Orientation)
    /// Mirrors horizontally.
    case mirror
    /// Rotates clockwise by -45 to 45 degrees, and crops to the largest part of the same aspect ratio without empty
    /// corners. Larger angles are limited to 45 degrees; use ``rotate(_:)`` to rotate by multiples of 90 degrees.
    case straighten(degrees: Double)
    /// Corrects red pupils in these parts of the picture, one part per eye.
    ///
    /// The parts are relative to the result of the previous edits. Red pixels are detected by their colors in the
    /// original picture.
    case redEye([UnitRect])
    /// Adjusts light and colors.
    case enhance(Enhancement)
    /// Adjusts light and colors with the result of ``Enhancement/automatic(for:)``, computed from the result of the
    /// previous edits.
    case autoEnhance
}
