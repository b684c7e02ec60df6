// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// All that a page shows beside the pictures.
struct StudioState: Codable, Sendable, Equatable {
    var version = 1
    var name = "Obscura Studio"
    var revision: Revision
    var allowsSources: Bool
    var hasMicrophones: Bool
    var cameras: [CameraDescription]
    var devices: DeviceLists
    /// On the disk of the folder, in bytes.
    var freeSpace: Int64
    var visit: [MediaItem]
}

/// Something that people are to be told.
struct Notice: Codable, Sendable, Equatable {
    enum Level: String, Codable, Sendable {
        case info, warning, error
    }

    var camera: String?
    var level: Level
    var message: String
    var advice: String?
}
