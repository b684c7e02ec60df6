// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// What a still says of itself, as exiftool reads it and as we do.
@Suite(.needsExifTool) struct StillMetadataTests {
    @Test(arguments: StillFiles.formats)
    func `exiftool reads back every field`(format: StillFormat) throws {
        let metadata = try StillFiles.full()
        let (tool, info) = try StillFiles.readBack(metadata, format)
        #expect(tool["ExifTool:Warning"] == nil && tool["ExifTool:Error"] == nil)
        #expect(tool["IFD0:Make"] == "Obscura" && tool["IFD0:Model"] == "Test pattern 2")
        #expect(tool["IFD0:Software"] == "obscura 0.1.0")
        #expect(tool["XMP-dc:Title"] == metadata.title && tool["IFD0:XPTitle"] == metadata.title)
        #expect(tool["XMP-dc:Description"] == metadata.description)
        #expect(tool["IFD0:ImageDescription"]?.hasPrefix("Schöne Aussicht — 山 🏔") == true)
        #expect(tool["XMP-dc:Creator"] == metadata.author && tool["IFD0:Artist"] == metadata.author)
        #expect(tool["XMP-dc:Rights"] == metadata.copyright && tool["IFD0:Copyright"] == metadata.copyright)
        #expect(tool["XMP-dc:Title-en"] == "The way" && tool["XMP-dc:Rights-en"] == "© 2026 Zoë & others")
        #expect(tool.fields.contains { $0.key.lowercased() == "xmp-dc:description-zh-hant" && $0.value == "美麗的景色" })
        #expect(tool["XMP-dc:Language"] == "deu" && tool["XMP-dc:Subject"] == "Wald|<Weg>")
        let custom = "a%3Db%25=x=y|mark=\u{301}x=|n%3D\u{338}%25\u{301}=y|shot=7"
        #expect(tool.fields.contains { $0.key.hasSuffix(":Custom") && $0.value == custom })
        #expect(tool.number("ExifIFD:ExposureTime") == 0.0333 && tool["ExifIFD:ISO"] == "400")
        #expect(tool.number("ExifIFD:ExposureCompensation") == -0.5 && tool.number("ExifIFD:FNumber") == 2.8)
        #expect(tool.number("ExifIFD:FocalLength") == 4.25 && tool["ExifIFD:Flash"] == "1")
        #expect(tool["ExifIFD:ExifImageWidth"] == "48" && tool["ExifIFD:ExifImageHeight"] == "32")
        #expect(tool["ExifIFD:ColorSpace"] == "1" && tool["IFD0:Orientation"] == "1")
        #expect(info.metadata == metadata)
        #expect(info.size == PixelSize(width: 48, height: 32) && info.kind == format.kind)
    }

    @Test(arguments: [
        (Int64(1_772_353_209_250_000_000), 20_700, "2026:03:01 14:05:09.250+05:45", "2026:03:01", "08:20:09.25"),
        (1_772_353_209_000_000_000, -12_600, "2026:03:01 04:50:09.000-03:30", "2026:03:01", "08:20:09"),
        (-1, 0, "1969:12:31 23:59:59.999999999+00:00", "1969:12:31", "23:59:59.999999"),
        (951_782_400_000_000_000, 50_400, "2000:02:29 14:00:00.000+14:00", "2000:02:29", "00:00:00"),
    ])
    func `a time has its part of a second and its zone`(
        nanoseconds: Int64, ahead: Int, whole: String, day: String, clock: String
    ) throws {
        var metadata = Metadata()
        metadata.date = WallTime(nanosecondsSince1970: nanoseconds, secondsFromUTC: ahead)
        metadata.location = try GeographicLocation(latitude: 1, longitude: 2)
        let (tool, info) = try StillFiles.readBack(metadata)
        #expect(tool["Composite:SubSecDateTimeOriginal"] == whole)
        #expect(tool["Composite:SubSecCreateDate"] == whole && tool["Composite:SubSecModifyDate"] == whole)
        #expect(tool["GPS:GPSDateStamp"] == day && tool["GPS:GPSTimeStamp"] == clock)
        #expect(info.metadata.date == metadata.date)
    }

    @Test(arguments: [
        (0.0, 0.0, 0.0), (-33.8567844, 151.2152967, -3.25), (90, 180, 8848.86), (-90, -180, -430.5),
        (89.9999999, -179.9999999, 100_000), (-0.0000001, 0.0000001, -0.0001), (12.99999999999, -59.9999999999, 1.5),
    ])
    func `a place is right to a millionth of a degree`(
        latitude: Double, longitude: Double, altitude: Double
    ) throws {
        var metadata = Metadata()
        metadata.location = try GeographicLocation(latitude: latitude, longitude: longitude, altitude: altitude)
        for format in StillFiles.formats {
            let (tool, info) = try StillFiles.readBack(metadata, format)
            let found = try #require(tool.number("Composite:GPSLatitude"))
            #expect(abs(found - latitude) < 1e-6)
            #expect(abs(try #require(tool.number("Composite:GPSLongitude")) - longitude) < 1e-6)
            #expect(abs(try #require(tool.number("Composite:GPSAltitude")) - altitude) < 0.001)
            #expect(tool["GPS:GPSDateStamp"] == nil)
            let read = try #require(info.metadata.location)
            #expect(abs(read.latitude - latitude) < 1e-9 && abs(read.longitude - longitude) < 1e-9)
            #expect(abs(try #require(read.altitude) - altitude) < 0.001)
        }
    }

    @Test func `without an altitude there is none`() throws {
        var metadata = Metadata()
        metadata.location = try GeographicLocation(latitude: -1, longitude: -2)
        let (tool, info) = try StillFiles.readBack(metadata)
        #expect(tool["GPS:GPSAltitude"] == nil && info.metadata.location == metadata.location)
    }

    @Test func `a title alone is read as a title`() throws {
        var metadata = Metadata()
        metadata.title = "Only a title"
        let (tool, info) = try StillFiles.readBack(metadata)
        #expect(tool["IFD0:ImageDescription"] == "Only a title")
        #expect(info.metadata == metadata)
    }

    @Test(arguments: [0.000_125, 1.0 / 8000, 0.5, 1, 30, 3600, 1e9])
    func `an exposure is told as exactly as EXIF can`(duration: Double) throws {
        var metadata = Metadata()
        metadata.exposure = Metadata.Exposure()
        metadata.exposure?.duration = duration
        metadata.exposure?.iso = 102_400
        metadata.exposure?.flashFired = false
        let (tool, info) = try StillFiles.readBack(metadata)
        #expect(abs(try #require(tool.number("ExifIFD:ExposureTime")) / duration - 1) < 1e-5)
        #expect(tool["ExifIFD:ISO"] == "65535" && tool["ExifIFD:ISOSpeed"] == "102400")
        #expect(tool["ExifIFD:Flash"] == "0")
        #expect(info.metadata.exposure?.iso == 102_400 && info.metadata.exposure?.flashFired == false)
    }

    @Test func `texts that fit in no segment are an error, and fit in a PNG`() throws {
        var metadata = Metadata()
        metadata.description = String(repeating: "lang und ", count: 9000)
        let picture = try PixelBuffer.noise(.i420, 16, 16)
        let error = #expect(throws: ObscuraError.self) {
            try StillEncoder(.jpeg()).encode(picture, StillProperties(metadata: metadata))
        }
        #expect(error?.code == .tooLarge)
        let file = try StillEncoder(.png()).encode(picture, StillProperties(metadata: metadata))
        #expect(try StillInfo(file).metadata == metadata)
    }

    @Test func `a text with control characters and a zero harms nobody`() throws {
        var metadata = Metadata()
        metadata.title = "a\u{1}b\0c"
        metadata.author = "\u{FFFE}x\r\ny"
        let (tool, info) = try StillFiles.readBack(metadata)
        #expect(tool["ExifTool:Warning"] == nil)
        #expect(info.metadata.title == "abc" && info.metadata.author == "x\r\ny")
    }
}
