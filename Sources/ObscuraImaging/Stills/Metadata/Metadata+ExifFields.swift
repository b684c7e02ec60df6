// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension Metadata {
    /// Creates the metadata in EXIF fields. Invalid values are omitted.
    init(_ fields: ExifFields) {
        self.init()
        make = fields.text(.make)
        model = fields.text(.model)
        software = fields.text(.software)
        author = fields.text(.artist)
        copyright = fields.text(.copyright)
        description = fields.text(.imageDescription)
        title = fields.windowsTitle
        // Without a description, the title is in its place as well.
        if title != nil, title == description { description = nil }
        date = fields.date
        location = fields.location
        exposure = fields.exposure
    }
}

extension ExifFields {
    /// The clockwise rotation that makes the stored picture upright, and whether the picture is mirrored after that.
    var turn: (orientation: Orientation, isMirrored: Bool) {
        switch number(.orientation) {
        case 2: (.up, true)
        case 3: (.down, false)
        case 4: (.down, true)
        case 5: (.right, true)
        case 6: (.right, false)
        case 7: (.left, true)
        case 8: (.left, false)
        default: (.up, false)
        }
    }

    fileprivate var windowsTitle: String? {
        guard case .bytes(let bytes) = values[.windowsTitle], bytes.count >= 2 else { return nil }
        let units = (0..<bytes.count / 2).map { UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8 }
        let text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
        return text.isEmpty ? nil : text
    }

    /// The time of capture; else that of digitization, else that of the last change of the file.
    fileprivate var date: WallTime? {
        let places: [(Key, Key, Key)] = [
            (.dateTimeOriginal, .subSecTimeOriginal, .offsetTimeOriginal),
            (.dateTimeDigitized, .subSecTimeDigitized, .offsetTimeDigitized),
            (.dateTime, .subSecTime, .offsetTime),
        ]
        for (time, part, zone) in places {
            guard let words = text(time) else { continue }
            let ahead = text(zone) ?? text(.offsetTime)
            if let date = WallTime(exif: words, part: text(part), zone: ahead) { return date }
        }
        return nil
    }

    fileprivate var location: GeographicLocation? {
        guard let latitude = degrees(.latitude, negative: "S", .latitudeRef),
            let longitude = degrees(.longitude, negative: "W", .longitudeRef)
        else { return nil }
        let isBelow = number(.altitudeRef) == 1
        let altitude = numbers(.altitude)?.first.map { isBelow ? -$0 : $0 }
        return (try? GeographicLocation(latitude: latitude, longitude: longitude, altitude: altitude))
            ?? (try? GeographicLocation(latitude: latitude, longitude: longitude))
    }

    private func degrees(_ key: Key, negative: Character, _ reference: Key) -> Double? {
        guard let parts = numbers(key), (1...3).contains(parts.count) else { return nil }
        let value = parts.reversed().reduce(0) { $0 / 60 + $1 }
        return text(reference)?.uppercased().first == negative ? -value : value
    }

    fileprivate var exposure: Metadata.Exposure? {
        var exposure = Metadata.Exposure()
        exposure.duration = numbers(.exposureTime)?.first
        exposure.aperture = numbers(.fNumber)?.first
        exposure.focalLength = numbers(.focalLength)?.first
        exposure.bias = numbers(.exposureBias)?.first
        exposure.iso = number(.isoSpeed) ?? number(.sensitivity)
        exposure.flashFired = number(.flash).map { $0 & 1 == 1 }
        return exposure == Metadata.Exposure() ? nil : exposure
    }
}

extension WallTime {
    /// Parses a time of EXIF: `2026:03:01 14:05:09`, the digits of the fraction of a second, and `+01:00`.
    ///
    /// Returns nil for an invalid time. Without a zone, the time counts as UTC.
    init?(exif words: String, part: String?, zone: String?) {
        let numbers = words.split(omittingEmptySubsequences: false) { ":- ".contains($0) }.map { Int($0) }
        guard numbers.count == 6, let year = numbers[0], let month = numbers[1], let day = numbers[2],
            let hour = numbers[3], let minute = numbers[4], let second = numbers[5], hour < 24
        else { return nil }
        let digits = (part ?? "").prefix { $0.isASCII && $0.isNumber }.prefix(9)
        let filled = digits + String(repeating: "0", count: 9 - digits.count)
        self.init(
            Fields(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second,
                nanosecond: Int(filled) ?? 0),
            secondsFromUTC: zone.flatMap { Self.secondsFromUTC(ofZone: $0) } ?? 0)
    }
}
