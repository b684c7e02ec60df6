// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The queries of libasound for properties that sysfs does not report.
protocol SoundProbe: Sendable {
    /// Whether libasound has a configured `default` that can be opened, not only its alias of the first card. Returns
    /// within a few seconds.
    var hasSystemDefault: Bool { get }
}
