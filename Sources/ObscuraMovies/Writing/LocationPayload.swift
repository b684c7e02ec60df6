// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The bytes of a location in a movie, in the public format GPMF, which exiftool and many map programs read.
///
/// GPMF is a sequence of keys of four letters, each with a type, the size of a structure, their number and their
/// big-endian values, padded to four bytes (github.com/gopro/gpmf-parser).
enum LocationPayload {
    /// Units per degree, per meter, and per meter and second in two and in three dimensions.
    private static let scales: [Int32] = [10_000_000, 10_000_000, 1000, 1000, 100]

    static func bytes(of timed: TimedLocation) -> [UInt8] {
        let place = timed.location
        let speed = timed.speed ?? 0
        let values = [place.latitude, place.longitude, place.altitude ?? 0, speed, speed]
        let scaled = zip(values, scales).map { units($0 * Double($1)) }
        var stream = item("STNM", "c", text: "GPS (Lat., Long., Alt., 2D speed, 3D speed)")
        // The quality of a position in three dimensions.
        stream += item("GPSF", "L", size: 4, words: [3])
        if let date = timed.date { stream += item("GPSU", "U", size: 16, payload: Array(stamp(date).utf8)) }
        stream += item("SCAL", "l", size: 4, words: scales)
        stream += item("GPS5", "l", size: 20, words: scaled)
        let device = item("DVID", "L", size: 4, words: [1]) + item("DVNM", "c", text: "Camera")
        return nested("DEVC", device + nested("STRM", stream))
    }

    /// Rounds a number to the nearest of its format; 0 for one that is not finite, because a speed can be any number.
    private static func units(_ number: Double) -> Int32 {
        number.isFinite ? Int32(min(max(Double(Int32.min), number.rounded()), Double(Int32.max))) : 0
    }

    /// The date in UTC, such as `261126063443.250`.
    private static func stamp(_ date: WallTime) -> String {
        let fields = date.utcFields
        let parts = [fields.year % 100, fields.month, fields.day, fields.hour, fields.minute, fields.second]
        return parts.map { UInt64(max(0, $0)).zeroPadded(to: 2) }.joined()
            + "." + UInt64(fields.nanosecond / 1_000_000).zeroPadded(to: 3)
    }

    // MARK: Items

    private static func nested(_ key: String, _ payload: [UInt8]) -> [UInt8] {
        header(key, 0, size: 1, count: payload.count) + payload
    }

    private static func item(_ key: String, _ type: Character, text: String) -> [UInt8] {
        item(key, type, size: 1, payload: Array(text.utf8))
    }

    private static func item(_ key: String, _ type: Character, size: Int, words: [Int32]) -> [UInt8] {
        item(key, type, size: size, payload: words.flatMap { big(UInt32(bitPattern: $0), bytes: 4) })
    }

    private static func item(_ key: String, _ type: Character, size: Int, payload: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: (4 - payload.count % 4) % 4)
        return header(key, type.asciiValue ?? 0, size: size, count: payload.count / size) + payload + padding
    }

    private static func header(_ key: String, _ type: UInt8, size: Int, count: Int) -> [UInt8] {
        Array(key.utf8) + [type, UInt8(clamping: size)] + big(UInt32(clamping: count), bytes: 2)
    }

    private static func big(_ value: UInt32, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
}
