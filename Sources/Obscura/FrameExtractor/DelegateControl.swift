// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What carries frames to a delegate, as the extractor sees it.
protocol DelegateControl: Sendable {
    /// A stop begins: a frame that is on its way to the main actor does not arrive any more.
    func close()
    /// The camera is about to start again.
    func reopen()
    /// The delegate is gone.
    func end()
}
