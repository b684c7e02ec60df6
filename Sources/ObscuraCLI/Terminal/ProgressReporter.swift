// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch

/// Shows where a run stands on standard error: one line that is drawn again ten times a second on a
/// terminal, else a line every five seconds.
struct ProgressReporter {
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "obscura.progress")

    /// - Parameter line: the line of this moment, for a terminal of so many columns; nil is no terminal. Called on one
    ///   queue, never twice at a time.
    init(_ line: @escaping @Sendable (_ width: Int?) -> String) {
        let isTerminal = Terminal.isErrorShown
        let interval: DispatchTimeInterval = isTerminal ? .milliseconds(100) : .seconds(5)
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler {
            if isTerminal { Terminal.redraw(line(Terminal.width)) } else { Terminal.note("\(line(nil))\n") }
        }
        timer.resume()
    }

    /// Ends the display and leaves a clean line.
    func finish() {
        timer.cancel()
        // A line that is being drawn is drawn first.
        queue.sync {
            if Terminal.isErrorShown { Terminal.redraw() }
        }
    }
}
