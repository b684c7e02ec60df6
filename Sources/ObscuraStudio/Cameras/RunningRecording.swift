// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A recording that is under way, or about to be.
struct RunningRecording: Sendable {
    var name: String
    var path: String
    var maxDuration: Double?
    var maxSize: Int64?
    var isPaused = false
    /// Whether its file is there.
    var isBegun = false
}
