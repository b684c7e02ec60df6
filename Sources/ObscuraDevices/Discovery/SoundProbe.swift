// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Queries libasound for what sysfs does not report.
protocol SoundProbe: Sendable {
    /// Whether libasound has a configured `default` that can be opened, not only its alias of the first card. Answers
    /// within a few seconds.
    var hasSystemDefault: Bool { get }
}
