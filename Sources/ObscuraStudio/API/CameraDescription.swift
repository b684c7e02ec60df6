// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The state of a camera, as sent to pages.
struct CameraDescription: Codable, Sendable, Equatable {
    enum Status: String, Codable, Sendable {
        /// The camera is off, since it has no users.
        case idle
        case starting
        /// The user at the machine is asked for permission to use the device.
        case asking
        case running
        /// The device is disconnected. The camera resumes when the device is connected again.
        case disconnected
        /// This process has no permission to use the device.
        case denied
        case failed
        /// The file or stream has ended.
        case ended
    }

    struct Problem: Codable, Sendable, Equatable {
        var code: String
        var message: String
        var advice: String?
    }

    struct Format: Codable, Sendable, Equatable {
        var width: Int
        var height: Int
        var rate: Double?
        var pixelFormat: String
    }

    struct Zoom: Codable, Sendable, Equatable {
        var value: Double
        var min: Double
        var max: Double
    }

    struct Focus: Codable, Sendable, Equatable {
        var mode: CaptureDevice.FocusMode?
        var modes: [CaptureDevice.FocusMode]
    }

    struct Effect: Codable, Sendable, Equatable {
        var name: String
        var label: String
    }

    /// The effect that is applied to faces.
    enum Faces: String, Codable, Sendable {
        case none, mask, mosaic
    }

    var id: String
    var revision: Revision
    var name: String
    /// The device id; nil for a file or an address.
    var device: String?
    /// The name of the source, with passwords masked.
    var source: String
    var position: CaptureDevice.Position
    var state: Status
    var problem: Problem?
    var format: Format?
    var preset: CaptureSession.Preset
    var presets: [CaptureSession.Preset]
    var isMirrored: Bool
    var orientation: Orientation
    var effects: [String]
    var availableEffects: [Effect]
    var faces: Faces
    /// The device id of the microphone that is recorded.
    var microphone: String?
    var zoom: Zoom?
    /// Whether the torch is on; nil if the device has none.
    var torch: Bool?
    var focus: Focus?
    var recording: RecordingDescription?
    /// Number of viewers.
    var viewers: Int
}

/// The state of a recording in progress.
struct RecordingDescription: Codable, Sendable, Equatable {
    /// File name.
    var name: String
    /// Recorded time without pauses, in seconds.
    var duration: Double
    /// File size, in bytes.
    var size: Int64
    /// Free disk space, in bytes.
    var freeSpace: Int64
    var isPaused: Bool
    var maxDuration: Double?
    var maxSize: Int64?
}

/// A counter by which the newer of two descriptions is found: responses and pushed messages may arrive out of order.
///
/// Starts at 1 with the Studio. It is incremented before any state is read, so that a description contains every change
/// that was made before its revision.
typealias Revision = UInt64
