// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import Obscura

/// Shows where a recording stands on standard error: on a terminal one line that is drawn again ten times a second,
/// with the levels of the sound; else a line every five seconds.
struct RecordingProgress {
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "obscura.progress")

    init(_ movie: MovieFileOutput, _ session: CaptureSession) {
        let isTerminal = Terminal.isErrorShown
        let interval: DispatchTimeInterval = isTerminal ? .milliseconds(100) : .seconds(5)
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler {
            let books = session.ledger.readers.filter { $0.isAttached && $0.name.hasPrefix(movie.name) }
            let line = RecordingLine(
                duration: movie.recordedDuration, bytes: movie.recordedFileSize,
                dropped: books.reduce(0) { $0 + $1.frames.dropped.unwanted },
                levels: movie.connection(with: .audio)?.audioChannels.map(\.level) ?? [])
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

/// Where a recording stands, in one line.
struct RecordingLine: Hashable {
    let duration: MediaTime
    let bytes: Int64
    let dropped: UInt64
    let levels: [AudioLevel]

    var text: String {
        let seconds = Int(duration.seconds)
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        let clock = seconds >= 3600 ? "\(seconds / 3600):\(two(seconds / 60 % 60))" : "\(seconds / 60)"
        return "\(clock):\(two(seconds % 60))  \(ExtractionSummary.bytes(bytes))  \(dropped) dropped"
    }

    /// The line for a terminal of `width` columns, with bars of the sound where there is room. Never longer.
    func text(width: Int) -> String {
        let words = text
        let room = width - words.count - 2
        guard !levels.isEmpty, room >= 20 * levels.count else { return String(words.prefix(max(0, width - 1))) }
        return words + "  " + LevelLine(time: duration, levels: levels).bars(width: min(room, 60))
    }
}
