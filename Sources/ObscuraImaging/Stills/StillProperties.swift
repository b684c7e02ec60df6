// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What is written beside the picture into the file of a still.
///
/// | field | EXIF | XMP (Dublin Core) |
/// | --- | --- | --- |
/// | date | DateTime, DateTimeOriginal, DateTimeDigitized, with SubSecTime… and OffsetTime… | |
/// | location | GPS position, altitude, datum, and the date in UTC | |
/// | make, model, software | Make, Model, Software | |
/// | exposure | ExposureTime, FNumber, ISO, ExposureBiasValue, FocalLength, Flash | |
/// | title | XPTitle; ImageDescription where there is no description | title |
/// | description | ImageDescription | description |
/// | author | Artist | creator |
/// | copyright | Copyright | rights |
/// | language | | language |
/// | custom | | a list of `KEY=VALUE` in a namespace of ours |
///
/// In a JPEG both are APP1 segments, in a PNG the chunks `eXIf` and `iTXt`. Texts are UTF-8.
public struct StillProperties: Sendable, Hashable {
    /// What the photo says of itself.
    public var metadata = Metadata()
    /// The turn that brings the stored picture upright, clockwise: for readers of EXIF to make.
    public var orientation: Orientation = .up
    /// Whether left and right change places after that.
    public var isMirrored = false
    /// The longer side of the small JPEG within the EXIF block, in pixels; nil leaves it out. Only in JPEGs.
    public var thumbnailSide: Int? = 160

    /// Nothing is said, and the picture is upright; with a thumbnail.
    public init() {}

    /// What is said of a picture that is stored upright.
    public init(metadata: Metadata) {
        self.metadata = metadata
    }
}
