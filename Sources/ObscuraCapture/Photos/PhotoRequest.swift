// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Somebody who waits for frames of which photos are made.
///
/// `onFrame` is called for each frame, in order, on the output's own thread; `onEnd` once, when there will be no
/// more: nil when all have come. Neither may block.
final class PhotoRequest: Sendable {
    let onFrame: @Sendable (KeptFrame) -> Void
    let onEnd: @Sendable (ObscuraError?) -> Void
    /// Rings when it ends, or is given up before it was heard.
    let isOver = CancellationToken()

    init(
        onFrame: @escaping @Sendable (KeptFrame) -> Void, onEnd: @escaping @Sendable (ObscuraError?) -> Void
    ) {
        self.onFrame = onFrame
        self.onEnd = onEnd
    }
}
