// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Lengths of time as clocks show them.
package enum ClockText {
    /// Minutes and seconds, such as `1:05`; from an hour on with hours, such as `1:02:03`.
    package static func text(seconds: Int) -> String {
        let (minutes, rest) = (seconds / 60, (seconds % 60).zeroPadded(to: 2))
        return minutes < 60 ? "\(minutes):\(rest)" : "\(minutes / 60):\((minutes % 60).zeroPadded(to: 2)):\(rest)"
    }
}
