// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What became of the frames of a camera, and how long they took.
struct CameraStatistics: Codable, Sendable, Equatable {
    /// How long the frames took from one place to another, in milliseconds.
    struct Stage: Codable, Sendable, Equatable {
        /// From where to where.
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

    /// A tile of a page.
    struct Viewer: Codable, Sendable, Equatable {
        var tile: Int
        var size: String
        var sent: UInt64
        var drawn: UInt64
        /// Those that a newer one replaced before they were sent.
        var replaced: UInt64
        var delay: Delay?
    }

    var camera: String
    /// Frames a second that the camera gives.
    var rate: Double
    var offered: UInt64
    var delivered: UInt64
    var dropped: [String: UInt64]
    var skipped: UInt64
    /// Frames that the driver lost.
    var gaps: UInt64
    var stages: [Stage]
    var viewers: [Viewer]
}
