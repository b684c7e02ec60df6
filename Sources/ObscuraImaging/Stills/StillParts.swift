// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The parts of a still's file other than the picture.
struct StillParts {
    var size: PixelSize?
    /// Properties of a JPEG; see ``StillInfo``.
    var samplesPerPixel = 0.0
    var isDecodedAsPlanes = false
    var hasSeveralScans = false
    /// The EXIF block with its header.
    var exif: [UInt8]?
    var xmp: [UInt8]?
    /// The metadata in separate texts.
    var texts = Metadata()
}
