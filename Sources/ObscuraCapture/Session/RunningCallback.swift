// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// A reader that calls back, and whose callback may still run at a stop of the session.
package protocol RunningCallback: AnyObject, Sendable {
    /// The name of the reader.
    var name: String { get }
    /// Whether a callback is running.
    var isCalling: Bool { get }
    /// Blocks until the callback has returned or itself waits for a stop of the session, but not past the deadline.
    /// Returns whether one of the two is the case.
    func wait(until deadline: HostTime) -> Bool
    /// Notes that the callback with this number, if it still runs, waits for a stop of the session.
    func beginStop(in number: UInt64)
    /// Notes the end of such a wait.
    func endStop(in number: UInt64)
}
