// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A location on the earth (WGS 84).
public struct GeographicLocation: Sendable, Hashable, Codable {
    /// Degrees north of the equator, -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    public let longitude: Double
    /// Meters above sea level; nil if unknown.
    public let altitude: Double?

    /// Creates a location.
    ///
    /// - Parameters:
    ///   - latitude: degrees north, -90 to 90.
    ///   - longitude: degrees east, -180 to 180.
    ///   - altitude: meters above sea level, -100,000 to 100,000; nil if unknown.
    /// - Throws: ``ObscuraError/Code/invalidLocation`` if a value is out of range or not a number.
    public init(latitude: Double, longitude: Double, altitude: Double? = nil) throws(ObscuraError) {
        guard (-90.0...90).contains(latitude), (-180.0...180).contains(longitude),
            (-100_000.0...100_000).contains(altitude ?? 0)
        else { throw .invalidLocation(latitude: latitude, longitude: longitude, altitude: altitude) }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }

    /// Decodes a location, with the validation of ``init(latitude:longitude:altitude:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            latitude: container.decode(Double.self, forKey: .latitude),
            longitude: container.decode(Double.self, forKey: .longitude),
            altitude: container.decodeIfPresent(Double.self, forKey: .altitude))
    }

    /// The location in ISO 6709 (annex H), as stored in movies, rounded to 1e-7 degrees and 1 mm, such as
    /// `+52.1000000+004.3000000+012.000/`.
    public var iso6709: String {
        let place = Self.signed(latitude, whole: 2, digits: 7) + Self.signed(longitude, whole: 3, digits: 7)
        return place + (altitude.map { Self.signed($0, whole: 3, digits: 3) } ?? "") + "/"
    }

    private static func signed(_ value: Double, whole: Int, digits: Int) -> String {
        var scale: UInt64 = 1
        for _ in 0..<digits { scale *= 10 }
        let units = UInt64((value.magnitude * Double(scale)).rounded())
        let sign = value < 0 && units > 0 ? "-" : "+"
        return "\(sign)\((units / scale).zeroPadded(to: whole)).\((units % scale).zeroPadded(to: digits))"
    }
}
