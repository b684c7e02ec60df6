// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A recording that is starting or in progress.
struct RunningRecording: Sendable {
    var name: String
    var path: String
    var maxDuration: Double?
    var maxSize: Int64?
    var isPaused = false
    /// Whether the movie file has been created.
    var isBegun = false
}
