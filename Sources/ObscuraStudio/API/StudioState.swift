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

/// Tells which of two descriptions is newer, whichever came first: an answer and what is pushed take different ways.
///
/// It counts up from 1 since the Studio was started. It is taken before anything is read, so a description holds
/// everything that was changed before its revision was taken.
typealias Revision = UInt64

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
