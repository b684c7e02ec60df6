// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraImaging

/// What EXIF fields mean, also those that only other programs write.
@Suite struct ExifFieldsTests {
    private func fields(_ values: [ExifFields.Key: ExifFields.Value]) -> ExifFields {
        var fields = ExifFields()
        fields.values = values
        return fields
    }

    private func metadata(_ values: [ExifFields.Key: ExifFields.Value]) -> Metadata { Metadata(fields(values)) }

    @Test(
        arguments: [
            (0, .up, false), (1, .up, false), (2, .up, true), (3, .down, false), (4, .down, true), (5, .right, true),
            (6, .right, false), (7, .left, true), (8, .left, false), (9, .up, false),
        ] as [(UInt16, Orientation, Bool)])
    func `The orientation says how the picture is turned and mirrored`(
        number: UInt16, orientation: Orientation, isMirrored: Bool
    ) {
        let turn = fields([.orientation: .short([number])]).turn
        #expect(turn.orientation == orientation && turn.isMirrored == isMirrored)
    }

    @Test func `Each text has its own field, and one of nothing but spaces says nothing`() {
        let found = metadata([
            .make: .text("a"), .model: .text("b "), .software: .text("c"), .artist: .text("d"), .copyright: .text("e"),
            .imageDescription: .text("f"),
        ])
        #expect(found.make == "a" && found.model == "b " && found.software == "c")
        #expect(found.author == "d" && found.copyright == "e" && found.description == "f" && found.title == nil)
        for nothing in ["", " ", "    "] {
            #expect(metadata([.make: .text(nothing)]).make == nil)
        }
        #expect(metadata([.make: .short([1])]).make == nil)
    }

    @Test func `A title is UTF-16 up to its end, and does not count as the description`() {
        func title(_ bytes: [UInt8]) -> String? { metadata([.windowsTitle: .bytes(bytes)]).title }
        #expect(title([0x48, 0, 0x69, 0, 0, 0, 0x78, 0]) == "Hi")
        #expect(title([0x71, 0x5c, 0x48]) == "山")
        #expect(title([]) == nil && title([0x48]) == nil && title([0, 0]) == nil)
        let same = metadata([.windowsTitle: .bytes([0x48, 0]), .imageDescription: .text("H")])
        #expect(same.title == "H" && same.description == nil)
        let other = metadata([.windowsTitle: .bytes([0x48, 0]), .imageDescription: .text("I")])
        #expect(other.title == "H" && other.description == "I")
    }

    private static let dates: [(ExifFields.Key, ExifFields.Key, ExifFields.Key)] = [
        (.dateTimeOriginal, .subSecTimeOriginal, .offsetTimeOriginal),
        (.dateTimeDigitized, .subSecTimeDigitized, .offsetTimeDigitized), (.dateTime, .subSecTime, .offsetTime),
    ]

    @Test(arguments: 0..<3)
    func `The first date that makes sense counts, with its own part and zone`(index: Int) {
        var values: [ExifFields.Key: ExifFields.Value] = [:]
        for (place, (time, part, zone)) in Self.dates.enumerated() {
            // Those before have no date that makes sense, those after another one.
            values[time] = .text(place < index ? "2026:13:01 00:00:00" : "\(2026 + place):03:01 14:05:09")
            values[part] = .text("\(place)5")
            values[zone] = .text("+0\(place):45")
        }
        let date = metadata(values).date
        // Seconds since 1970 of 14:05:09 UTC on 1 March of 2026, 2027 and 2028.
        let seconds: [Int64] = [1_772_373_909, 1_803_909_909, 1_835_532_309]
        let ahead = index * 3600 + 2700
        #expect(
            date
                == WallTime(
                    nanosecondsSince1970: (seconds[index] - Int64(ahead)) * 1_000_000_000
                        + Int64(index) * 100_000_000 + 50_000_000, secondsFromUTC: ahead))
    }

    @Test(
        arguments: [
            ("1970:01:01 00:00:00", nil, nil, 0, 0), ("2000:02:29 00:00:00", nil, nil, 951_782_400, 0),
            ("2100:03:01 00:00:00", nil, nil, 4_107_542_400, 0), ("1969:12:31 23:59:59", nil, nil, -1, 0),
            ("2016:12:31 23:59:60", nil, nil, 1_483_228_800, 0),
            ("2026:01:31 00:00:00", nil, "-03:30", 1_769_830_200, -12_600),
            ("1970:01:01 00:00:00", nil, "+24:00", 0, 0), ("1970:01:01 00:00:00", nil, "+01:60", 0, 0),
            ("1970:01:01 00:00:00", nil, "01:00", 0, 0), ("1970-01-01 23:59:59", nil, "+23:59", 59, 86_340),
        ] as [(String, String?, String?, Int64, Int)])
    func `A date is read by the calendar, and a zone that is none is UTC`(
        words: String, part: String?, zone: String?, seconds: Int64, ahead: Int
    ) {
        let date = WallTime(exif: words, part: part, zone: zone)
        #expect(date == WallTime(nanosecondsSince1970: seconds * 1_000_000_000, secondsFromUTC: ahead))
    }

    @Test(
        arguments: [
            ("5", 500_000_000), ("05", 50_000_000), ("123456789", 123_456_789), ("1234567891", 123_456_789), ("", 0),
            ("x5", 0), ("25 ", 250_000_000),
        ] as [(String, Int64)])
    func `The part of a second is its decimal places`(part: String, nanoseconds: Int64) {
        let date = WallTime(exif: "1970:01:01 00:00:00", part: part, zone: nil)
        #expect(date == WallTime(nanosecondsSince1970: nanoseconds, secondsFromUTC: 0))
    }

    @Test(arguments: [
        "", "2026:03:01", "2026:03:01 14:05", "2026:00:01 00:00:00", "2026:13:01 00:00:00", "2026:01:00 00:00:00",
        "2026:01:32 00:00:00", "2026:01:01 24:00:00", "2026:01:01 00:60:00", "2026:01:01 00:00:61",
        "1678:12:31 00:00:00", "2262:01:01 00:00:00", "2026:01:01 00:00:00:00", "2026::01 00:00:00", "a:b:c d:e:f",
        "2026:01:01 00:00::00", "    :  :     :  :  ",
    ])
    func `A date that is none is none`(words: String) {
        #expect(WallTime(exif: words, part: nil, zone: nil) == nil)
    }

    private func place(
        _ latitude: ExifFields.Value, _ reference: String = "N", altitude: ExifFields.Value? = nil, below: UInt8 = 0
    ) -> GeographicLocation? {
        var values: [ExifFields.Key: ExifFields.Value] = [
            .latitude: latitude, .latitudeRef: .text(reference), .longitude: .short([10]), .longitudeRef: .text("E"),
            .altitudeRef: .bytes([below]),
        ]
        values[.altitude] = altitude
        return metadata(values).location
    }

    @Test func `A place is in degrees, minutes and seconds, with its direction`() throws {
        let minutes = ExifFields.Value.rational([
            .init(numerator: 51, denominator: 1), .init(numerator: 61, denominator: 2),
        ])
        let seconds = ExifFields.Value.rational([
            .init(numerator: 51, denominator: 1), .init(numerator: 30, denominator: 1),
            .init(numerator: 18, denominator: 1),
        ])
        #expect(place(.rational([.init(numerator: 103, denominator: 2)]))?.latitude == 51.5)
        #expect(try abs(#require(place(minutes)).latitude - (51 + 30.5 / 60)) < 1e-12)
        #expect(try abs(#require(place(seconds, "s")).latitude + 51.505) < 1e-12)
        #expect(place(minutes)?.longitude == 10)
        #expect(place(.short([1, 2, 3, 4])) == nil && place(.short([])) == nil && place(.text("51")) == nil)
        #expect(place(.rational([.init(numerator: 1, denominator: 0)])) == nil)
        #expect(place(.short([91])) == nil)
        let west = metadata([
            .latitude: .short([1]), .longitude: .short([2]), .latitudeRef: .text("N"), .longitudeRef: .text("W"),
        ])
        #expect(west.location?.longitude == -2 && west.location?.altitude == nil)
        #expect(metadata([.latitude: .short([1])]).location == nil)
    }

    @Test func `A height is above the sea unless it is said to be below`() {
        let height = ExifFields.Value.rational([.init(numerator: 17, denominator: 2)])
        #expect(place(.short([1]), altitude: height)?.altitude == 8.5)
        #expect(place(.short([1]), altitude: height, below: 1)?.altitude == -8.5)
        #expect(place(.short([1]), altitude: .rational([.init(numerator: 1, denominator: 0)]))?.altitude == nil)
    }

    @Test func `The exposure is what any of its fields says`() {
        #expect(metadata([:]).exposure == nil)
        let found = metadata([
            .exposureTime: .rational([.init(numerator: 1, denominator: 50)]),
            .fNumber: .rational([.init(numerator: 28, denominator: 10)]),
            .focalLength: .rational([.init(numerator: 17, denominator: 4)]),
            .exposureBias: .signedRational([.init(numerator: -1, denominator: 2)]), .isoSpeed: .long([400]),
            .sensitivity: .short([100]), .flash: .short([0x19]),
        ]).exposure
        #expect(found?.duration == 0.02 && found?.aperture == 2.8 && found?.focalLength == 4.25)
        #expect(found?.bias == -0.5 && found?.iso == 400 && found?.flashFired == true)
        #expect(metadata([.sensitivity: .short([100])]).exposure?.iso == 100)
        #expect(metadata([.flash: .short([0x18])]).exposure?.flashFired == false)
        #expect(metadata([.exposureBias: .signedRational([.init(numerator: 1, denominator: 0)])]).exposure == nil)
    }
}
