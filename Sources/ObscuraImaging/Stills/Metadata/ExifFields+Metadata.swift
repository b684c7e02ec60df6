// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

extension ExifFields {
    /// Creates the EXIF fields of metadata.
    ///
    /// Texts are UTF-8, as the Metadata Working Group advises and readers expect. They are cut after ``longestText``
    /// bytes; the XMP packet has the complete texts.
    ///
    /// - Parameters:
    ///   - size: the size of the stored picture.
    ///   - turn: the clockwise rotation that makes the stored picture upright.
    ///   - isMirrored: whether the picture is mirrored horizontally after that.
    init(_ metadata: Metadata, size: PixelSize, turn: Orientation, isMirrored: Bool) {
        values[.xResolution] = .rational([Rational(numerator: 72, denominator: 1)])
        values[.yResolution] = .rational([Rational(numerator: 72, denominator: 1)])
        // Inches.
        values[.resolutionUnit] = .short([2])
        // The center of the four pixels that share a chroma sample.
        values[.chromaPosition] = .short([1])
        values[.orientation] = .short([UInt16(Self.orientation(turn, isMirrored: isMirrored))])
        // 2.32; versions before 2.31 have no fields for the time zone.
        values[.version] = .undefined(Array("0232".utf8))
        values[.flashpixVersion] = .undefined(Array("0100".utf8))
        // Y, Cb, Cr.
        values[.components] = .undefined([1, 2, 3, 0])
        // sRGB.
        values[.colorSpace] = .short([1])
        values[.pixelWidth] = .long([UInt32(clamping: size.width)])
        values[.pixelHeight] = .long([UInt32(clamping: size.height)])
        set(.make, metadata.make)
        set(.model, metadata.model)
        set(.software, metadata.software)
        set(.artist, metadata.author)
        set(.copyright, metadata.copyright)
        set(.imageDescription, metadata.description ?? metadata.title)
        if let title = metadata.title {
            let units = Array(Self.shortened(title).utf16) + [0]
            values[.windowsTitle] = .bytes(units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
        }
        if let date = metadata.date { set(date) }
        if let location = metadata.location { set(location, metadata.date) }
        if let exposure = metadata.exposure { set(exposure) }
    }

    /// Maximum length of a text in EXIF, in bytes.
    static let longestText = 2000

    /// Returns the number in EXIF of a rotation, followed by mirroring.
    static func orientation(_ turn: Orientation, isMirrored: Bool) -> Int {
        switch turn {
        case .up: isMirrored ? 2 : 1
        case .down: isMirrored ? 4 : 3
        case .right: isMirrored ? 5 : 6
        case .left: isMirrored ? 7 : 8
        }
    }

    mutating func setThumbnail(_ jpeg: [UInt8]) {
        thumbnail = jpeg
        // JPEG.
        values[.thumbnailCompression] = .short([6])
        values[.thumbnailXResolution] = .rational([Rational(numerator: 72, denominator: 1)])
        values[.thumbnailYResolution] = .rational([Rational(numerator: 72, denominator: 1)])
        values[.thumbnailResolutionUnit] = .short([2])
    }

    private mutating func set(_ key: Key, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        values[key] = .text(Self.shortened(text))
    }

    /// Returns the text up to its first zero, and at most ``longestText`` bytes of whole characters.
    private static func shortened(_ text: String) -> String {
        let whole = text.prefix { $0 != "\0" }
        if whole.utf8.count <= longestText { return String(whole) }
        var (kept, count) = ("", 0)
        for character in whole {
            count += character.utf8.count
            if count > longestText { break }
            kept.append(character)
        }
        return kept
    }

    // MARK: Time

    private mutating func set(_ date: WallTime) {
        let now = date.fields
        var part = now.nanosecond.zeroPadded(to: 9)
        while part.utf8.count > 3, part.hasSuffix("0") { part.removeLast() }
        let time = "\(now.date(":")) \(now.clock(":"))"
        for key in [Key.dateTime, .dateTimeOriginal, .dateTimeDigitized] { values[key] = .text(time) }
        for key in [Key.subSecTime, .subSecTimeOriginal, .subSecTimeDigitized] { values[key] = .text(part) }
        for key in [Key.offsetTime, .offsetTimeOriginal, .offsetTimeDigitized] { values[key] = .text(date.zone) }
    }

    // MARK: Place

    private mutating func set(_ location: GeographicLocation, _ date: WallTime?) {
        values[.gpsVersion] = .bytes([2, 3, 0, 0])
        values[.mapDatum] = .text("WGS-84")
        values[.latitudeRef] = .text(location.latitude < 0 ? "S" : "N")
        values[.latitude] = .rational(Self.degrees(location.latitude))
        values[.longitudeRef] = .text(location.longitude < 0 ? "W" : "E")
        values[.longitude] = .rational(Self.degrees(location.longitude))
        if let altitude = location.altitude {
            // 1 means below sea level.
            values[.altitudeRef] = .bytes([altitude < 0 ? 1 : 0])
            values[.altitude] = .rational([Self.rational(altitude.magnitude, scales: [10_000, 1000])])
        }
        guard let now = date?.utcFields else { return }
        values[.gpsDate] = .text(now.date(":"))
        let seconds = UInt32(now.second) * 1_000_000 + UInt32(now.nanosecond / 1000)
        values[.gpsTime] = .rational([
            Rational(numerator: UInt32(now.hour), denominator: 1),
            Rational(numerator: UInt32(now.minute), denominator: 1),
            Rational(numerator: seconds, denominator: 1_000_000),
        ])
    }

    /// Returns degrees, minutes and seconds, to a ten-millionth of a second (3 µm).
    private static func degrees(_ value: Double) -> [Rational] {
        let scale: UInt64 = 10_000_000
        let units = UInt64((value.magnitude * 3600 * Double(scale)).rounded())
        let (minutes, rest) = units.quotientAndRemainder(dividingBy: 60 * scale)
        return [
            Rational(numerator: UInt32(minutes / 60), denominator: 1),
            Rational(numerator: UInt32(minutes % 60), denominator: 1),
            Rational(numerator: UInt32(rest), denominator: UInt32(scale)),
        ]
    }

    // MARK: Light

    private mutating func set(_ exposure: Metadata.Exposure) {
        if let duration = exposure.duration, duration > 0, duration.isFinite {
            values[.exposureTime] = .rational([
                Self.rational(duration, scales: [1_000_000_000, 1_000_000, 1000, 1])
            ])
        }
        if let aperture = exposure.aperture, aperture > 0, aperture.isFinite {
            values[.fNumber] = .rational([Self.rational(aperture, scales: [10_000, 1])])
        }
        if let length = exposure.focalLength, length > 0, length.isFinite {
            values[.focalLength] = .rational([Self.rational(length, scales: [10_000, 1])])
        }
        if let bias = exposure.bias, bias.magnitude < 1000 {
            values[.exposureBias] = .signedRational([
                SignedRational(numerator: Int32((bias * 1000).rounded()), denominator: 1000)
            ])
        }
        if let iso = exposure.iso, iso > 0 {
            values[.sensitivity] = .short([UInt16(clamping: iso)])
            // 3 means that the numbers are an ISO speed.
            values[.sensitivityType] = .short([3])
            values[.isoSpeed] = .long([UInt32(clamping: iso)])
        }
        if let fired = exposure.flashFired { values[.flash] = .short([fired ? 1 : 0]) }
    }

    /// Returns the reduced fraction with the finest of these denominators for which the number fits.
    private static func rational(_ value: Double, scales: [UInt32]) -> Rational {
        for scale in scales {
            guard let numerator = UInt32(exactly: (value * Double(scale)).rounded()) else { continue }
            var (a, b) = (numerator, scale)
            while b != 0 { (a, b) = (b, a % b) }
            return Rational(numerator: numerator / max(1, a), denominator: scale / max(1, a))
        }
        return Rational(numerator: .max, denominator: 1)
    }
}
