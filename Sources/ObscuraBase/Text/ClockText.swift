// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Durations in clock format.
package enum ClockText {
    /// Returns minutes and seconds, such as `1:05`; with hours from one hour on, such as `1:02:03`.
    package static func text(seconds: Int) -> String {
        let (minutes, rest) = (seconds / 60, (seconds % 60).zeroPadded(to: 2))
        return minutes < 60 ? "\(minutes):\(rest)" : "\(minutes / 60):\((minutes % 60).zeroPadded(to: 2)):\(rest)"
    }
}
