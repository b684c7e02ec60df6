// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The keys of the properties of an image, in the dictionaries of photos. The values are those of EXIF, TIFF and IPTC.

/// The orientation of the image: a raw value of ``CGImagePropertyOrientation``.
public let kCGImagePropertyOrientation: CFString = "Orientation"
/// The width of the image in pixels, before the orientation is applied.
public let kCGImagePropertyPixelWidth: CFString = "PixelWidth"
/// The height of the image in pixels, before the orientation is applied.
public let kCGImagePropertyPixelHeight: CFString = "PixelHeight"

/// The dictionary of TIFF: the camera, the program, the author.
public let kCGImagePropertyTIFFDictionary: CFString = "{TIFF}"
/// The manufacturer of the camera.
public let kCGImagePropertyTIFFMake: CFString = "Make"
/// The model of the camera.
public let kCGImagePropertyTIFFModel: CFString = "Model"
/// The program that wrote the file.
public let kCGImagePropertyTIFFSoftware: CFString = "Software"
/// The date and time of the file, such as `2026:05:31 18:05:00`.
public let kCGImagePropertyTIFFDateTime: CFString = "DateTime"
/// The author.
public let kCGImagePropertyTIFFArtist: CFString = "Artist"
/// The copyright notice.
public let kCGImagePropertyTIFFCopyright: CFString = "Copyright"
/// A description of the content.
public let kCGImagePropertyTIFFImageDescription: CFString = "ImageDescription"
/// The orientation, as ``kCGImagePropertyOrientation``.
public let kCGImagePropertyTIFFOrientation: CFString = "Orientation"

/// The dictionary of EXIF: the exposure and the time of capture.
public let kCGImagePropertyExifDictionary: CFString = "{Exif}"
/// The exposure time, in seconds.
public let kCGImagePropertyExifExposureTime: CFString = "ExposureTime"
/// The sensitivities: an array with one number.
public let kCGImagePropertyExifISOSpeedRatings: CFString = "ISOSpeedRatings"
/// The exposure compensation, in EV.
public let kCGImagePropertyExifExposureBiasValue: CFString = "ExposureBiasValue"
/// The f-number.
public let kCGImagePropertyExifFNumber: CFString = "FNumber"
/// The focal length, in millimeters.
public let kCGImagePropertyExifFocalLength: CFString = "FocalLength"
/// The flash: 1 if it fired, 0 if it did not.
public let kCGImagePropertyExifFlash: CFString = "Flash"
/// The time of capture in the local time zone, such as `2026:05:31 18:05:00`.
public let kCGImagePropertyExifDateTimeOriginal: CFString = "DateTimeOriginal"
/// The offset of the local time zone from UTC, such as `+02:00`.
public let kCGImagePropertyExifOffsetTimeOriginal: CFString = "OffsetTimeOriginal"

/// The dictionary of GPS: the location.
public let kCGImagePropertyGPSDictionary: CFString = "{GPS}"
/// The latitude, in degrees, without a sign.
public let kCGImagePropertyGPSLatitude: CFString = "Latitude"
/// `N` or `S`.
public let kCGImagePropertyGPSLatitudeRef: CFString = "LatitudeRef"
/// The longitude, in degrees, without a sign.
public let kCGImagePropertyGPSLongitude: CFString = "Longitude"
/// `E` or `W`.
public let kCGImagePropertyGPSLongitudeRef: CFString = "LongitudeRef"
/// The altitude, in meters, without a sign.
public let kCGImagePropertyGPSAltitude: CFString = "Altitude"
/// 0 above sea level, 1 below it.
public let kCGImagePropertyGPSAltitudeRef: CFString = "AltitudeRef"

/// The dictionary of IPTC: the title and the keywords.
public let kCGImagePropertyIPTCDictionary: CFString = "{IPTC}"
/// The title.
public let kCGImagePropertyIPTCObjectName: CFString = "ObjectName"
/// The keywords: an array of strings.
public let kCGImagePropertyIPTCKeywords: CFString = "Keywords"
