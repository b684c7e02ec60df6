// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Dispatch

/// Where the callbacks of a delegate run. They never overlap.
package enum CallbackPlace: Sendable {
    /// On a queue with this target; nil for none.
    case queue(DispatchQueue?)
    /// On the thread that makes a frame available: of the source, of a conversion, or the one that releases a frame.
    ///
    /// It saves a thread that only forwards. A delegate that blocks here blocks the source, so a live source needs a
    /// queue.
    case arrival
}
