// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The format and the frame durations that a program has selected for a camera.
struct ModeSelection: Sendable, Hashable {
    /// The mode of the format, without limits; nil if the preset selects it.
    var base: VideoFormat?
    var limits = FrameDurationLimits()

    /// Returns the selected mode, which always has the format of `base`, or else of `usual`.
    ///
    /// - Parameters:
    ///   - offered: The modes of the camera.
    ///   - usual: The mode that the preset selects.
    /// - Returns: Nil if nothing is selected.
    func mode(among offered: [VideoFormat], usual: VideoFormat?) -> VideoFormat? {
        guard self != ModeSelection(), let start = base ?? usual else { return nil }
        let modes = offered.filter { $0.size == start.size && $0.pixelFormat == start.pixelFormat }
        return limits.mode(in: modes, usual: start)
    }
}
