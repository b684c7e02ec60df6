// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Dispatch

/// The place where the callbacks of a delegate run. The callbacks never overlap.
package enum CallbackPlace: Sendable {
    /// On a new serial dispatch queue that targets this queue; nil creates a queue without a target.
    case queue(DispatchQueue?)
    /// On the thread that makes a frame available: the thread of the source, a thread that converts frames, or the
    /// thread that releases an earlier frame.
    ///
    /// This avoids a thread that only forwards frames. A delegate that blocks also blocks the source: use ``queue(_:)``
    /// for live sources.
    case arrival
}
