// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraMovies

struct LocationPayloadTests {
    @Test(
        "A speed that the format cannot express is 0 or the largest one",
        arguments: [
            (nil, 0, 0), (1.5, 1500, 150), (-1, -1000, -100), (Double.nan, 0, 0), (Double.signalingNaN, 0, 0),
            (Double.infinity, 0, 0),
            (-Double.infinity, 0, 0), (Double.greatestFiniteMagnitude, 0, 0), (1e16, Int32.max, Int32.max),
            (-1e16, Int32.min, Int32.min),
        ] as [(Double?, Int32, Int32)])
    func speeds(speed: Double?, plane: Int32, space: Int32) throws {
        let place = try GeographicLocation(latitude: -90, longitude: 180, altitude: 100_000)
        let bytes = LocationPayload.bytes(of: TimedLocation(place, at: .zero, speed: speed))
        // The five numbers of a position are the end.
        let numbers = stride(from: bytes.count - 20, to: bytes.count, by: 4).map { start in
            Int32(truncatingIfNeeded: bytes[start..<start + 4].reduce(0) { $0 << 8 | Int64($1) })
        }
        #expect(numbers == [-900_000_000, 1_800_000_000, 100_000_000, plane, space])
    }
}
