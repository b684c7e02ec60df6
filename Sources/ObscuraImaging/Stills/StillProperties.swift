// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The metadata that is written to the file of a still.
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
/// | keywords | | subject |
/// | language | | language |
/// | custom | | a list of `KEY=VALUE` in Obscura's namespace |
///
/// EXIF and XMP are APP1 segments in a JPEG, and the chunks `eXIf` and `iTXt` in a PNG. Texts are UTF-8.
public struct StillProperties: Sendable, Hashable {
    /// The metadata.
    public var metadata = Metadata()
    /// The clockwise rotation that makes the picture upright, written as the EXIF orientation.
    public var orientation: Orientation = .up
    /// Whether the picture must be mirrored horizontally to be displayed correctly, after the rotation by
    /// ``orientation``. Written as a part of the EXIF orientation.
    public var isMirrored = false
    /// The longer side of the thumbnail in the EXIF block, in pixels; nil for no thumbnail. PNG files never
    /// have a thumbnail.
    public var thumbnailSide: Int? = 160

    /// Creates the properties of an upright picture with a thumbnail and without metadata.
    public init() {}

    /// Creates the properties of an upright picture with a thumbnail and this metadata.
    public init(metadata: Metadata) {
        self.metadata = metadata
    }
}
