// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The sound level at one time, in one line.
struct LevelLine: Encodable, Hashable {
    /// The time since the beginning, in seconds.
    let time: Double
    /// The levels, one for each channel.
    let levels: [AudioLevel]

    init(time: MediaTime, levels: [AudioLevel]) {
        self.time = time.seconds
        self.levels = levels
    }

    /// The levels as text, such as `0:01  1: -9.0 dBFS, peak -6.0  2: …`.
    var text: String {
        let clock = ClockText.text(seconds: Int(min(max(0, time), 1e9).rounded()))
        let channels = levels.enumerated().map { index, level in
            "\(index + 1): \(Self.decibels(level.average)) dBFS, peak \(Self.decibels(level.peak))"
        }
        return ([clock] + channels).joined(separator: "  ")
    }

    /// Returns a bar for each channel, as long as the average, with a mark at the held peak; at most `width`
    /// columns.
    func bars(width: Int) -> String {
        guard !levels.isEmpty else { return "" }
        // The last column stays empty: some terminals wrap there.
        let room = (width - 1) / levels.count - 12
        guard room >= 6 else { return String(text.prefix(max(0, width - 1))) }
        let bars = levels.map { level in
            let place = { (decibels: Float) in
                Int(min(max(-1, (decibels + Self.range) / Self.range), 2) * Float(room))
            }
            let filled = min(max(0, place(level.average)), room)
            let mark = min(max(0, place(level.peakHold)), room - 1)
            let bar = (0..<room).map { $0 == mark ? "|" : $0 < filled ? "#" : "-" }.joined()
            let peak = Self.decibels(level.peakHold)
            return "[\(bar)] " + String(repeating: " ", count: max(0, 6 - peak.count)) + peak
        }
        return bars.joined(separator: "  ")
    }

    /// The range of a bar, in dB.
    private static let range: Float = 60

    static func decibels(_ value: Float) -> String {
        NumberText.oneDecimal(Double(value))
    }
}
