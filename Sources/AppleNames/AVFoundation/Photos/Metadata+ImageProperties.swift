// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension Metadata {
    /// Creates metadata from the properties of an image: the location, texts, keywords, make and model. Others, and
    /// values of another type, are ignored.
    init(imageProperties: [String: Any]) {
        self.init()
        func part(_ key: String) -> [String: Any] { imageProperties[key] as? [String: Any] ?? [:] }
        let (tiff, iptc) = (part(kCGImagePropertyTIFFDictionary), part(kCGImagePropertyIPTCDictionary))
        make = tiff[kCGImagePropertyTIFFMake] as? String
        model = tiff[kCGImagePropertyTIFFModel] as? String
        software = tiff[kCGImagePropertyTIFFSoftware] as? String
        author = tiff[kCGImagePropertyTIFFArtist] as? String
        copyright = tiff[kCGImagePropertyTIFFCopyright] as? String
        description = tiff[kCGImagePropertyTIFFImageDescription] as? String
        title = iptc[kCGImagePropertyIPTCObjectName] as? String
        keywords = iptc[kCGImagePropertyIPTCKeywords] as? [String] ?? []
        location = GeographicLocation(gps: part(kCGImagePropertyGPSDictionary))
    }

    /// The properties of an image with these metadata.
    func imageProperties(size: PixelSize, orientation: CGImagePropertyOrientation) -> [String: Any] {
        var tiff: [String: Any] = [kCGImagePropertyTIFFOrientation: orientation.rawValue]
        tiff[kCGImagePropertyTIFFMake] = make
        tiff[kCGImagePropertyTIFFModel] = model
        tiff[kCGImagePropertyTIFFSoftware] = software
        tiff[kCGImagePropertyTIFFArtist] = author
        tiff[kCGImagePropertyTIFFCopyright] = copyright
        tiff[kCGImagePropertyTIFFImageDescription] = description
        tiff[kCGImagePropertyTIFFDateTime] = date?.exifText
        var exif: [String: Any] = [:]
        exif[kCGImagePropertyExifDateTimeOriginal] = date?.exifText
        exif[kCGImagePropertyExifOffsetTimeOriginal] = date?.zone
        exif[kCGImagePropertyExifExposureTime] = exposure?.duration
        exif[kCGImagePropertyExifISOSpeedRatings] = exposure?.iso.map { [$0] }
        exif[kCGImagePropertyExifExposureBiasValue] = exposure?.bias
        exif[kCGImagePropertyExifFNumber] = exposure?.aperture
        exif[kCGImagePropertyExifFocalLength] = exposure?.focalLength
        exif[kCGImagePropertyExifFlash] = exposure?.flashFired.map { $0 ? 1 : 0 }
        var iptc: [String: Any] = [:]
        iptc[kCGImagePropertyIPTCObjectName] = title
        if !keywords.isEmpty { iptc[kCGImagePropertyIPTCKeywords] = keywords }
        var properties: [String: Any] = [
            kCGImagePropertyOrientation: orientation.rawValue, kCGImagePropertyPixelWidth: size.width,
            kCGImagePropertyPixelHeight: size.height, kCGImagePropertyTIFFDictionary: tiff,
        ]
        if !exif.isEmpty { properties[kCGImagePropertyExifDictionary] = exif }
        if !iptc.isEmpty { properties[kCGImagePropertyIPTCDictionary] = iptc }
        if let location { properties[kCGImagePropertyGPSDictionary] = location.gps }
        return properties
    }
}

extension GeographicLocation {
    /// Nil without a latitude and a longitude, and if one is out of range.
    fileprivate init?(gps: [String: Any]) {
        func number(_ key: String, _ reference: String, isNegative: (Any) -> Bool) -> Double? {
            guard let value = gps[key].flatMap(SettingValue.number) else { return nil }
            return gps[reference].map(isNegative) == true ? -value : value
        }
        guard
            let latitude = number(
                kCGImagePropertyGPSLatitude, kCGImagePropertyGPSLatitudeRef, isNegative: { $0 as? String == "S" }),
            let longitude = number(
                kCGImagePropertyGPSLongitude, kCGImagePropertyGPSLongitudeRef, isNegative: { $0 as? String == "W" })
        else { return nil }
        let altitude = number(
            kCGImagePropertyGPSAltitude, kCGImagePropertyGPSAltitudeRef, isNegative: { SettingValue.integer($0) == 1 })
        try? self.init(latitude: latitude, longitude: longitude, altitude: altitude)
    }

    fileprivate var gps: [String: Any] {
        var values: [String: Any] = [
            kCGImagePropertyGPSLatitude: abs(latitude), kCGImagePropertyGPSLatitudeRef: latitude < 0 ? "S" : "N",
            kCGImagePropertyGPSLongitude: abs(longitude), kCGImagePropertyGPSLongitudeRef: longitude < 0 ? "W" : "E",
        ]
        if let altitude {
            values[kCGImagePropertyGPSAltitude] = abs(altitude)
            values[kCGImagePropertyGPSAltitudeRef] = altitude < 0 ? 1 : 0
        }
        return values
    }
}

extension WallTime {
    /// The local time as EXIF writes it.
    fileprivate var exifText: String { "\(fields.date(":")) \(fields.clock(":"))" }
}
