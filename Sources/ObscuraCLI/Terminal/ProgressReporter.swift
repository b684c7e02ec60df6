// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch

/// Shows the progress of a run on standard error: on a terminal, one line that is redrawn ten times a second,
/// otherwise a line every five seconds.
struct ProgressReporter {
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "obscura.progress")

    /// - Parameter line: returns the current line for a terminal of `width` columns, or for no terminal
    ///   (nil). Called on one queue, never concurrently.
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

    /// Ends the display and clears the line.
    func finish() {
        timer.cancel()
        // Waits for a line that is being drawn.
        queue.sync {
            if Terminal.isErrorShown { Terminal.redraw() }
        }
    }
}
