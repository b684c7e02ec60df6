// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import Obscura

/// Shows where a run stands on standard error: one line that is drawn again ten times a second on a
/// terminal, else a line every five seconds.
struct ProgressReporter {
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "obscura.progress")

    init(_ export: FrameExport, length: ProgressLength) {
        let isTerminal = Terminal.isErrorShown
        let interval: DispatchTimeInterval = isTerminal ? .milliseconds(100) : .seconds(5)
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler {
            let now = export.progress
            let line = ProgressLine(
                fraction: length.fraction(frames: now.frames, from: now.first, to: now.last),
                frames: now.frames, dropped: now.dropped, elapsed: now.elapsed)
            Terminal.note(isTerminal ? "\r\(line.text(width: Terminal.width))\u{1B}[K" : "\(line.text)\n")
        }
        timer.resume()
    }

    /// Ends the display and leaves a clean line.
    func finish() {
        timer.cancel()
        // A line that is being drawn is drawn first.
        queue.sync {
            if Terminal.isErrorShown { Terminal.note("\r\u{1B}[K") }
        }
    }
}
