// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The times of frames that are an image for a requested time: also those near it, which may need less decoding.
struct ImageTolerance: Sendable {
    /// Nil for no limit.
    let before: MediaTime?
    /// Nil for no limit.
    let after: MediaTime?

    /// The first time of frames that are used; nil for no limit.
    func earliest(for time: MediaTime) -> MediaTime? { before.map { time - $0 } }

    /// Whether a frame after a time is used, if there is none before.
    func reaches(_ later: MediaTime, from time: MediaTime) -> Bool { after.map { later - time <= $0 } ?? true }
}
