// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch

/// A message that a command waits for its source, printed if the source is not available within two seconds.
struct WaitNotice: Sendable {
    private let timer: any DispatchSourceTimer

    /// - Parameter isShown: whether the command waits, and may print messages.
    init(for source: String, isShown: Bool) {
        timer = DispatchSource.makeTimerSource()
        if isShown { timer.schedule(deadline: .now() + .seconds(2)) }
        timer.setEventHandler { Terminal.complain("waiting for \(source) (Ctrl-C ends).") }
        timer.resume()
    }

    /// Called when the source is available, or the command ends.
    func end() { timer.cancel() }
}
