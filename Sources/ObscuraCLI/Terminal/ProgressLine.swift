// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The progress of a run in one line.
struct ProgressLine: Hashable {
    /// The completed fraction, 0 to 1; nil if unknown.
    let fraction: Double?
    let frames: Int
    let dropped: UInt64
    let elapsed: Duration

    /// Returns the line for a terminal of `width` columns, with a bar if the length is known; truncated if
    /// necessary.
    func text(width: Int) -> String {
        ProgressBar.text(fraction: fraction, words: text, width: width)
    }

    /// The line without a bar.
    var text: String {
        let seconds = Double(elapsed.wholeNanoseconds) / 1e9
        let rate = seconds > 0 ? Double(frames) / seconds : 0
        var parts = ["\(frames) frames", "\(NumberText.oneDecimal(rate))/s", "\(dropped) dropped"]
        if let fraction {
            parts.insert("\(Int(fraction * 100))%", at: 0)
            if fraction > 0.005 { parts.append("\(Self.clock(seconds * (1 - fraction) / fraction)) left") }
        }
        return parts.joined(separator: "  ")
    }

    /// Returns minutes and seconds, rounded up: `0:05`; with hours if there are any.
    private static func clock(_ seconds: Double) -> String {
        ClockText.text(seconds: Int(min(seconds, 1e9).rounded(.up)))
    }
}

extension ProgressReporter {
    /// Creates the line for the current state of an export.
    init(_ export: FrameExport, length: ProgressLength) {
        self.init { width in
            let now = export.progress
            let line = ProgressLine(
                fraction: length.fraction(frames: now.frames, from: now.first, to: now.last),
                frames: now.frames, dropped: now.dropped, elapsed: now.elapsed)
            return width.map(line.text(width:)) ?? line.text
        }
    }
}
