// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraWeb

/// The camera to add, by one of these properties.
struct CameraRequest: RequestObject, Codable, Equatable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case device, source, file
    }

    /// A device id.
    var device: String?
    /// The address of a stream.
    var source: String?
    /// The name of a file in the folder.
    var file: String?
}

/// Changes to a camera. Properties that are absent keep their values.
struct CameraChange: RequestObject, Codable, Equatable {
    var device: String?
    /// The device id of a microphone; null removes the microphone.
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

/// A tap on the video.
struct TapRequest: RequestObject, Codable, Equatable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case x, y
    }

    /// Horizontal position in the displayed frame, from 0 (left edge) to 1 (right edge).
    var x: Double
    /// Vertical position, from 0 (top edge) to 1 (bottom edge).
    var y: Double
}

/// The limits of a recording.
struct RecordingRequest: RequestObject, Codable, Equatable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case maxDuration, maxSize
    }

    /// Maximum duration, in seconds.
    var maxDuration: Double?
    /// Maximum file size, in bytes.
    var maxSize: Int64?
}

/// Changes to a recording in progress.
struct RecordingChange: RequestObject, Codable, Equatable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case isPaused
    }

    var isPaused: Bool
}

/// The result of a recording.
struct RecordingOutcome: Codable, Sendable, Equatable {
    /// The movie; nil if no usable file was written.
    var item: MediaItem?
    var reason: RecordingResult.Reason
    var message: String
}
