// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Dispatch

/// The place where the callbacks of a delegate run. They never overlap.
package enum CallbackPlace: Sendable {
    /// On a queue with this target; nil for none.
    case queue(DispatchQueue?)
    /// On the thread that makes a frame available: a thread of the source, of a conversion, or of the release of a
    /// frame.
    ///
    /// This saves a thread that would only forward frames. A delegate that blocks here blocks the source, so a live
    /// source needs a queue.
    case arrival
}
