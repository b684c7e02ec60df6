// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The state that pages display, apart from the live views.
struct StudioState: Codable, Sendable, Equatable {
    var version = 1
    var name = "Obscura Studio"
    var revision: Revision
    var allowsSources: Bool
    var hasMicrophones: Bool
    var cameras: [CameraDescription]
    var devices: DeviceLists
    /// Free space on the disk of the folder, in bytes.
    var freeSpace: Int64
    var visit: [MediaItem]
}

/// A message to display to users.
struct Notice: Codable, Sendable, Equatable {
    enum Level: String, Codable, Sendable {
        case info, warning, error
    }

    var camera: String?
    var level: Level
    var message: String
    var advice: String?
}
