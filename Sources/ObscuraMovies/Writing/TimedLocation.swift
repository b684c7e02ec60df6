// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The location of the camera at a time of a movie.
public struct TimedLocation: Sendable, Hashable {
    /// The location.
    public var location: GeographicLocation
    /// The presentation time.
    public var time: MediaTime
    /// The speed over ground, in meters per second.
    public var speed: Double?
    /// The date reported by the satellite receiver.
    public var date: WallTime?

    /// Creates a location.
    public init(_ location: GeographicLocation, at time: MediaTime, speed: Double? = nil, date: WallTime? = nil) {
        self.location = location
        self.time = time
        self.speed = speed
        self.date = date
    }
}
