// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Shows the progress of a run on standard error: on a terminal, one line that is redrawn ten times a second,
/// otherwise a line every five seconds.
struct ProgressReporter {
    private let job: RepeatedJob

    /// - Parameter line: returns the current line for a terminal of `width` columns, or for no terminal
    ///   (nil). Called on one queue, never concurrently.
    init(_ line: @escaping @Sendable (_ width: Int?) -> String) {
        let isTerminal = Terminal.isErrorShown
        job = RepeatedJob("progress", every: isTerminal ? .milliseconds(100) : .seconds(5)) {
            if isTerminal { Terminal.redraw(line(Terminal.width)) } else { Terminal.note("\(line(nil))\n") }
        }
    }

    /// Ends the display and clears the line.
    func finish() {
        job.finish()
        if Terminal.isErrorShown { Terminal.redraw() }
    }
}
