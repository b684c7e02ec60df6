// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The photos that the user asked for, checked as a whole before anything is touched.
struct PhotoPlan {
    /// The names of the photos, in order.
    let paths: [String]
    let interval: Duration
    let settings: PhotoSettings
    /// How long the camera runs before the first photo; nil leaves it to the kind of camera.
    let delay: Duration?
    let overwrites: Bool
    let isQuiet: Bool
}
