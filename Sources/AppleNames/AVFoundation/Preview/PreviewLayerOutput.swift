// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// The output of a preview layer, which the outputs of a session do not list.
final class PreviewLayerOutput: AVCaptureOutput, @unchecked Sendable {  // Its property is a lock.
    private struct Owner: Sendable {
        weak var layer: CALayer?
    }

    private let owner = Lock(Owner())

    /// The layer, which is not retained.
    var layer: CALayer? {
        get { owner.withLock { $0 }.layer }
        set { owner.withLock { $0.layer = newValue } }
    }
}
