// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The progress of a recording in one line.
struct RecordingLine: Hashable {
    let duration: MediaTime
    let bytes: Int64
    /// The number of recorded frames; 0 for a movie with only sound.
    let frames: UInt64
    let dropped: UInt64
    let levels: [AudioLevel]

    var text: String {
        let rate = frames > 0 && duration.seconds > 0 ? Double(frames) / duration.seconds : nil
        let parts = [
            ClockText.text(seconds: Int(duration.seconds)), NumberText.bytes(bytes),
            rate.map { "\(NumberText.oneDecimal($0))/s" }, "\(dropped) dropped",
        ]
        return parts.compactMap(\.self).joined(separator: "  ")
    }

    /// Returns the line for a terminal of `width` columns, with level bars if they fit; truncated if
    /// necessary.
    func text(width: Int) -> String {
        let words = text
        let room = width - words.count - 2
        guard !levels.isEmpty, room >= 20 * levels.count else { return String(words.prefix(max(0, width - 1))) }
        return words + "  " + LevelLine(time: duration, levels: levels).bars(width: min(room, 60))
    }
}

extension ProgressReporter {
    /// Creates the line for the current state of a recording: duration, size, frame rate, dropped frames,
    /// sound level.
    init(_ movie: MovieFileOutput, of session: CaptureSession) {
        self.init { width in
            let books = session.ledger.readers.filter { $0.isAttached && $0.output.hasPrefix(movie.name) }
            let line = RecordingLine(
                duration: movie.recordedDuration, bytes: movie.recordedFileSize,
                frames: books.filter { $0.mediaType == .video }.reduce(0) { $0 + $1.frames.delivered },
                dropped: books.reduce(0) { $0 + $1.frames.dropped.unwanted },
                levels: movie.connection(with: .audio)?.audioChannels.map(\.level) ?? [])
            return width.map(line.text(width:)) ?? line.text
        }
    }
}
