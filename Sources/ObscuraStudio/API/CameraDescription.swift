// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A camera of the Studio, as pages see it.
struct CameraDescription: Codable, Sendable, Equatable {
    enum Status: String, Codable, Sendable {
        /// Nobody looks, and the camera is off.
        case idle
        case starting
        case running
        /// It is away, and comes back by itself when it can.
        case disconnected
        /// This process may not use it.
        case denied
        case failed
        /// The film is over.
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

    /// What is done about faces.
    enum Faces: String, Codable, Sendable {
        case none, mask, mosaic
    }

    var id: String
    var revision: Revision
    var name: String
    /// The id of the device; nil for a file or an address.
    var device: String?
    /// How it was named, with passwords masked.
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
    var canFindFaces: Bool
    /// The id of the microphone whose sound is recorded.
    var microphone: String?
    var zoom: Zoom?
    /// Whether the torch is on; nil if there is none.
    var torch: Bool?
    var focus: Focus?
    var recording: RecordingDescription?
    /// How many watch it.
    var viewers: Int
}

/// A recording that is under way.
struct RecordingDescription: Codable, Sendable, Equatable {
    /// The name of the file.
    var name: String
    /// Without pauses, in seconds.
    var duration: Double
    /// In bytes.
    var size: Int64
    /// What is free on the disk, in bytes.
    var freeSpace: Int64
    var isPaused: Bool
    var maxDuration: Double?
    var maxSize: Int64?
}

/// Tells which of two descriptions is newer, whichever came first: an answer and what is pushed take different ways.
///
/// It counts up from 1 since the Studio was started. It is taken before anything is read, so a description holds
/// everything that was changed before its revision was taken.
typealias Revision = UInt64
