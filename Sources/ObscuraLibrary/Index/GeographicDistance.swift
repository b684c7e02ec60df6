// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import GRDB
internal import Glibc
internal import ObscuraMedia

/// Distances on the earth, taken as a sphere.
enum GeographicDistance {
    /// The mean radius of the earth in meters (IUGG).
    private static let earthRadius = 6_371_008.8

    /// The function `distance(latitude, longitude, latitude, longitude)` of the database, in meters.
    static let function = DatabaseFunction("distance", argumentCount: 4, pure: true) { values in
        let numbers = values.compactMap { Double.fromDatabaseValue($0) }
        guard numbers.count == 4 else { return nil }
        return meters((numbers[0], numbers[1]), (numbers[2], numbers[3]))
    }

    /// Returns the length of the great circle between two places, each with a latitude and a longitude in degrees
    /// (haversine formula).
    static func meters(_ first: (Double, Double), _ second: (Double, Double)) -> Double {
        let radians = Double.pi / 180
        let (latitude, longitude) = ((second.0 - first.0) * radians, (second.1 - first.1) * radians)
        let (vertical, horizontal) = (sin(latitude / 2), sin(longitude / 2))
        let square =
            vertical * vertical + cos(first.0 * radians) * cos(second.0 * radians) * horizontal * horizontal
        return 2 * earthRadius * asin(min(1, square.squareRoot()))
    }

    /// Returns a box of latitudes and longitudes that contains a circle. With a pole in the circle, the box has all
    /// longitudes.
    static func box(
        around center: GeographicLocation, radius: Double
    ) -> (south: Double, west: Double, north: Double, east: Double) {
        let angle = radius / earthRadius * 180 / Double.pi
        let (south, north) = (center.latitude - angle, center.latitude + angle)
        let width = sin(min(radius / earthRadius, Double.pi / 2)) / cos(center.latitude * Double.pi / 180)
        guard south > -90, north < 90, width < 1 else { return (max(-90, south), -180, min(90, north), 180) }
        let half = asin(width) * 180 / Double.pi
        func wrapped(_ longitude: Double) -> Double {
            longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
        }
        return (south, wrapped(center.longitude - half), north, wrapped(center.longitude + half))
    }
}
