// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A camera that is to be added: one of these.
struct CameraRequest: Codable, Sendable, Equatable {
    /// The id of a device.
    var device: String?
    /// An address.
    var source: String?
    /// The name of a file in the folder.
    var file: String?
}

/// What is to be changed of a camera; what is not named stays.
struct CameraChange: Codable, Sendable, Equatable {
    var device: String?
    /// The id of a microphone; an inner nil takes it away.
    var microphone: String??
    var preset: CaptureSession.Preset?
    var isMirrored: Bool?
    var orientation: Orientation?
    var effects: [String]?
    var faces: CameraDescription.Faces?
    var zoom: Double?
    var torch: Bool?
    var focus: CaptureDevice.FocusMode?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case device, microphone, preset, isMirrored, orientation, effects, faces, zoom, torch, focus
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        device = try values.decodeIfPresent(String.self, forKey: .device)
        if values.contains(.microphone) {
            microphone = .some(try values.decodeIfPresent(String.self, forKey: .microphone))
        }
        preset = try values.decodeIfPresent(CaptureSession.Preset.self, forKey: .preset)
        isMirrored = try values.decodeIfPresent(Bool.self, forKey: .isMirrored)
        orientation = try values.decodeIfPresent(Orientation.self, forKey: .orientation)
        effects = try values.decodeIfPresent([String].self, forKey: .effects)
        faces = try values.decodeIfPresent(CameraDescription.Faces.self, forKey: .faces)
        zoom = try values.decodeIfPresent(Double.self, forKey: .zoom)
        torch = try values.decodeIfPresent(Bool.self, forKey: .torch)
        focus = try values.decodeIfPresent(CaptureDevice.FocusMode.self, forKey: .focus)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(device, forKey: .device)
        if let microphone { try values.encode(microphone, forKey: .microphone) }
        try values.encodeIfPresent(preset, forKey: .preset)
        try values.encodeIfPresent(isMirrored, forKey: .isMirrored)
        try values.encodeIfPresent(orientation, forKey: .orientation)
        try values.encodeIfPresent(effects, forKey: .effects)
        try values.encodeIfPresent(faces, forKey: .faces)
        try values.encodeIfPresent(zoom, forKey: .zoom)
        try values.encodeIfPresent(torch, forKey: .torch)
        try values.encodeIfPresent(focus, forKey: .focus)
    }
}

/// A tap on the picture.
struct TapRequest: Codable, Sendable, Equatable {
    /// From the left edge of the picture as it is shown to the right one, 0 to 1.
    var x: Double
    /// From the top edge to the bottom, 0 to 1.
    var y: Double
}

/// How many photos are taken.
struct PhotoRequest: Codable, Sendable, Equatable {
    var count: Int?
}

/// The limits of a recording.
struct RecordingRequest: Codable, Sendable, Equatable {
    /// In seconds.
    var maxDuration: Double?
    /// In bytes.
    var maxSize: Int64?
}

/// What is to be changed of a recording that is under way.
struct RecordingChange: Codable, Sendable, Equatable {
    var isPaused: Bool
}

/// How a recording ended.
struct RecordingOutcome: Codable, Sendable, Equatable {
    /// The movie; nil where there is none.
    var item: MediaItem?
    var reason: RecordingResult.Reason
    var message: String
}
