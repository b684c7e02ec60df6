// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Statistics on the frames of a camera: counts, drops and delays.
struct CameraStatistics: Codable, Sendable, Equatable {
    /// Time that frames take between two points of the pipeline, in milliseconds.
    struct Stage: Codable, Sendable, Equatable {
        /// The start and the end point.
        var span: String
        var count: Int
        var p50: Double
        var p95: Double
        var p99: Double
    }

    struct Delay: Codable, Sendable, Equatable {
        var span: String
        var p50: Double
        var p95: Double
    }

    /// Statistics on one tile of a page.
    struct Viewer: Codable, Sendable, Equatable {
        var tile: Int
        var size: String
        var sent: UInt64
        var drawn: UInt64
        /// Number of frames that were replaced by a newer one before they were sent.
        var replaced: UInt64
        var delay: Delay?
    }

    var camera: String
    /// Frame rate of the camera, in frames per second.
    var rate: Double
    var offered: UInt64
    var delivered: UInt64
    var dropped: [String: UInt64]
    var skipped: UInt64
    /// Number of frames that the driver dropped.
    var gaps: UInt64
    /// Number of frames that were dropped before a photo could be made of them.
    var droppedForPhotos: UInt64
    var stages: [Stage]
    var viewers: [Viewer]
}
