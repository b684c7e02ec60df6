// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The rotation and mirroring of a frame (enum spa_meta_videotransform_value of spa/buffer/meta.h).
struct PipeWireTransform: RawRepresentable, Sendable, Hashable {
    let rawValue: UInt32

    /// The clockwise rotation that makes the frame upright: values count the frame's counterclockwise rotation.
    var uprightTurn: Orientation { Orientation(degrees: Int(rawValue % 4) * 90) }
    /// Whether the frame must be mirrored after that rotation.
    var isMirrored: Bool { (4...7).contains(rawValue) }
}
