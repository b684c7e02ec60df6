// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// How loud a moment is, in one line.
struct LevelLine: Encodable, Hashable {
    /// Seconds since the beginning.
    let time: Double
    /// One for each channel.
    let levels: [AudioLevel]

    init(time: MediaTime, levels: [AudioLevel]) {
        self.time = time.seconds
        self.levels = levels
    }

    /// Such as `0:01  1: -9.0 dBFS, peak -6.0  2: …`.
    var text: String {
        let clock = ClockText.text(seconds: Int(min(max(0, time), 1e9).rounded()))
        let channels = levels.enumerated().map { index, level in
            "\(index + 1): \(Self.decibels(level.average)) dBFS, peak \(Self.decibels(level.peak))"
        }
        return ([clock] + channels).joined(separator: "  ")
    }

    /// A bar for each channel, as long as its average is loud, with a mark at its peak; never longer than `width`.
    func bars(width: Int) -> String {
        guard !levels.isEmpty else { return "" }
        // The last column is left free: some terminals wrap there.
        let room = (width - 1) / levels.count - 12
        guard room >= 6 else { return String(text.prefix(max(0, width - 1))) }
        let bars = levels.map { level in
            let place = { (decibels: Float) in
                Int(min(max(-1, (decibels + Self.range) / Self.range), 2) * Float(room))
            }
            let filled = min(max(0, place(level.average)), room)
            let mark = min(max(0, place(level.peak)), room - 1)
            let bar = (0..<room).map { $0 == mark ? "|" : $0 < filled ? "#" : "-" }.joined()
            let peak = Self.decibels(level.peak)
            return "[\(bar)] " + String(repeating: " ", count: max(0, 6 - peak.count)) + peak
        }
        return bars.joined(separator: "  ")
    }

    /// How much of the scale a bar shows, in dB.
    private static let range: Float = 60

    static func decibels(_ value: Float) -> String {
        NumberText.oneDecimal(Double(value))
    }
}
