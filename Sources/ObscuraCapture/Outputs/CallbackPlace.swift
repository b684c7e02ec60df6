// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Dispatch

/// Where the callbacks of a delegate run. They never overlap.
package enum CallbackPlace: Sendable {
    /// On a queue with this target; nil for none.
    case queue(DispatchQueue?)
    /// On the thread that makes a frame available: of the source, of a conversion, or the one that releases a frame.
    ///
    /// It saves a thread that only forwards. Only for delegates that never block; they may block the source if it waits
    /// for its readers anyway.
    case arrival
}
