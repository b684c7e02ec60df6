// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// A location as latitude, longitude (degrees) and optionally altitude (meters): `52.1,4.3` or
/// `-33.86,151.2,58`.
struct LocationArgument: Sendable, Hashable {
    let location: GeographicLocation

    /// - Throws: `ValidationError` for any other text, and for coordinates out of range.
    init(argument: String) throws {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(part.drop { $0 == " " })
        }
        guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1],
            numbers.count == 2 || numbers[2] != nil
        else {
            throw ValidationError(
                "Write a location as latitude,longitude or latitude,longitude,altitude, such as 52.1,4.3,12.")
        }
        do throws(ObscuraError) {
            location = try GeographicLocation(
                latitude: latitude, longitude: longitude, altitude: numbers.count == 3 ? numbers[2] : nil)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
