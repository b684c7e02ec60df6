// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A request for frames of which photos are made.
///
/// `onFrame` is called for each frame, in order, on the output's own thread; `onEnd` once, when no more frames
/// follow: with nil if all were delivered. Neither may block.
final class PhotoRequest: Sendable {
    let onFrame: @Sendable (KeptFrame) -> Void
    let onEnd: @Sendable (ObscuraError?) -> Void
    /// Cancelled when the request ends, or is withdrawn before it was added.
    let isOver = CancellationToken()

    init(
        onFrame: @escaping @Sendable (KeptFrame) -> Void, onEnd: @escaping @Sendable (ObscuraError?) -> Void
    ) {
        self.onFrame = onFrame
        self.onEnd = onEnd
    }
}
