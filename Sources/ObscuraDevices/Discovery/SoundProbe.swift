// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Asks libasound what sysfs does not tell.
package protocol SoundProbe: Sendable {
    /// Whether libasound has a `default` of somebody's own making that can be opened, and not just its way to the
    /// first card. Answers within some seconds.
    var hasSystemDefault: Bool { get }
}
