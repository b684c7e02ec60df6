// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The metadata that are written with the picture of a still.
///
/// | field | EXIF | XMP (Dublin Core) |
/// | --- | --- | --- |
/// | date | DateTime, DateTimeOriginal, DateTimeDigitized, with SubSecTime… and OffsetTime… | |
/// | location | GPS position, altitude, datum, and the date in UTC | |
/// | make, model, software | Make, Model, Software | |
/// | exposure | ExposureTime, FNumber, ISO, ExposureBiasValue, FocalLength, Flash | |
/// | title | XPTitle; ImageDescription if there is no description | title |
/// | description | ImageDescription | description |
/// | author | Artist | creator |
/// | copyright | Copyright | rights |
/// | language | | language |
/// | custom | | a list of `KEY=VALUE` in Obscura's namespace |
///
/// In a JPEG both are APP1 segments, in a PNG the chunks `eXIf` and `iTXt`. Texts are UTF-8.
public struct StillProperties: Sendable, Hashable {
    /// The metadata.
    public var metadata = Metadata()
    /// The clockwise rotation that makes the stored picture upright, for readers of EXIF.
    public var orientation: Orientation = .up
    /// Whether the picture is mirrored horizontally after that.
    public var isMirrored = false
    /// The longer side of the thumbnail in the EXIF block, in pixels; nil for none. Only for JPEG.
    public var thumbnailSide: Int? = 160

    /// Creates the properties of an upright picture, without metadata, with a thumbnail.
    public init() {}

    /// Creates the properties of a picture that is stored upright, with a thumbnail.
    public init(metadata: Metadata) {
        self.metadata = metadata
    }
}
