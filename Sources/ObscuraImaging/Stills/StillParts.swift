// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// What stands in the file of a still beside its picture.
struct StillParts {
    var size: PixelSize?
    /// Of a JPEG; see ``StillInfo``.
    var samplesPerPixel = 0.0
    var hasSeveralScans = false
    /// With its head.
    var exif: [UInt8]?
    var xmp: [UInt8]?
    /// What stands in texts of its own.
    var texts = Metadata()
}
