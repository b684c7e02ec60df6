// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The fields of an EXIF block (CIPA DC-008) as values, which ``LibExif`` writes and reads.
struct ExifFields: Sendable, Hashable {
    /// The directory of a field. The raw value is libexif's number.
    enum Directory: Int, Sendable, Hashable, CaseIterable {
        case main, thumbnail, exif, gps
    }

    /// The directory and the number of a field.
    struct Key: Sendable, Hashable {
        let directory: Directory
        let tag: UInt16

        init(_ directory: Directory, _ tag: UInt16) {
            self.directory = directory
            self.tag = tag
        }
    }

    /// A fraction of unsigned integers.
    struct Rational: Sendable, Hashable {
        var numerator: UInt32
        var denominator: UInt32
    }

    /// A fraction of signed integers.
    struct SignedRational: Sendable, Hashable {
        var numerator: Int32
        var denominator: Int32
    }

    enum Value: Sendable, Hashable {
        case text(String)
        case bytes([UInt8])
        case undefined([UInt8])
        case short([UInt16])
        case long([UInt32])
        case rational([Rational])
        case signedRational([SignedRational])
    }

    var values: [Key: Value] = [:]
    /// A small JPEG of the picture.
    var thumbnail: [UInt8]?

    subscript(key: Key) -> Value? {
        get { values[key] }
        set { values[key] = newValue }
    }
}

extension ExifFields.Key {
    static let imageDescription = Self(.main, 0x010e)
    static let make = Self(.main, 0x010f)
    static let model = Self(.main, 0x0110)
    static let orientation = Self(.main, 0x0112)
    static let xResolution = Self(.main, 0x011a)
    static let yResolution = Self(.main, 0x011b)
    static let resolutionUnit = Self(.main, 0x0128)
    static let software = Self(.main, 0x0131)
    static let dateTime = Self(.main, 0x0132)
    static let artist = Self(.main, 0x013b)
    static let chromaPosition = Self(.main, 0x0213)
    static let copyright = Self(.main, 0x8298)
    /// The title in UTF-16, which Windows displays.
    static let windowsTitle = Self(.main, 0x9c9b)

    static let thumbnailCompression = Self(.thumbnail, 0x0103)
    static let thumbnailXResolution = Self(.thumbnail, 0x011a)
    static let thumbnailYResolution = Self(.thumbnail, 0x011b)
    static let thumbnailResolutionUnit = Self(.thumbnail, 0x0128)

    static let exposureTime = Self(.exif, 0x829a)
    static let fNumber = Self(.exif, 0x829d)
    static let sensitivity = Self(.exif, 0x8827)
    static let sensitivityType = Self(.exif, 0x8830)
    static let isoSpeed = Self(.exif, 0x8833)
    static let version = Self(.exif, 0x9000)
    static let dateTimeOriginal = Self(.exif, 0x9003)
    static let dateTimeDigitized = Self(.exif, 0x9004)
    static let offsetTime = Self(.exif, 0x9010)
    static let offsetTimeOriginal = Self(.exif, 0x9011)
    static let offsetTimeDigitized = Self(.exif, 0x9012)
    static let components = Self(.exif, 0x9101)
    static let exposureBias = Self(.exif, 0x9204)
    static let flash = Self(.exif, 0x9209)
    static let focalLength = Self(.exif, 0x920a)
    static let subSecTime = Self(.exif, 0x9290)
    static let subSecTimeOriginal = Self(.exif, 0x9291)
    static let subSecTimeDigitized = Self(.exif, 0x9292)
    static let flashpixVersion = Self(.exif, 0xa000)
    static let colorSpace = Self(.exif, 0xa001)
    static let pixelWidth = Self(.exif, 0xa002)
    static let pixelHeight = Self(.exif, 0xa003)

    static let gpsVersion = Self(.gps, 0x0000)
    static let latitudeRef = Self(.gps, 0x0001)
    static let latitude = Self(.gps, 0x0002)
    static let longitudeRef = Self(.gps, 0x0003)
    static let longitude = Self(.gps, 0x0004)
    static let altitudeRef = Self(.gps, 0x0005)
    static let altitude = Self(.gps, 0x0006)
    static let gpsTime = Self(.gps, 0x0007)
    static let mapDatum = Self(.gps, 0x0012)
    static let gpsDate = Self(.gps, 0x001d)
}

// MARK: - Reading values

extension ExifFields {
    /// Returns a text; nil if it is missing, empty or only spaces.
    func text(_ key: Key) -> String? {
        guard case .text(let text) = values[key] else { return nil }
        return text.isEmpty || text.allSatisfy { $0 == " " } ? nil : text
    }

    /// Returns the first integer of a field; nil if the field is missing or of another type.
    func number(_ key: Key) -> Int? {
        switch values[key] {
        case .short(let numbers): numbers.first.map { Int($0) }
        case .long(let numbers): numbers.first.map { Int($0) }
        case .bytes(let bytes): bytes.first.map { Int($0) }
        default: nil
        }
    }

    /// Returns the numbers of a field; nil if the field is missing or of another type, or a denominator is 0.
    func numbers(_ key: Key) -> [Double]? {
        switch values[key] {
        case .short(let numbers): return numbers.map { Double($0) }
        case .long(let numbers): return numbers.map { Double($0) }
        case .rational(let fractions):
            guard fractions.allSatisfy({ $0.denominator != 0 }) else { return nil }
            return fractions.map { Double($0.numerator) / Double($0.denominator) }
        case .signedRational(let fractions):
            guard fractions.allSatisfy({ $0.denominator != 0 }) else { return nil }
            return fractions.map { Double($0.numerator) / Double($0.denominator) }
        default: return nil
        }
    }
}
