// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The progress of a broadcast in one line.
struct BroadcastLine: Hashable {
    let statistics: BroadcastStatistics
    /// Frames of the camera that the broadcast did not receive.
    let dropped: UInt64

    var text: String {
        var parts = [ClockText.text(seconds: Int(statistics.duration.seconds))]
        if let bits = statistics.targetBitRate { parts.append(Self.bits(Double(bits))) }
        parts.append("\(dropped + UInt64(statistics.lateFrames)) dropped")
        return (parts + statistics.destinations.map(Self.words)).joined(separator: "  ")
    }

    /// Returns the line for a terminal of `width` columns, truncated if necessary.
    func text(width: Int) -> String { String(text.prefix(max(0, width - 1))) }

    static func bits(_ count: Double) -> String {
        count >= 1e6
            ? "\(NumberText.oneDecimal(count / 1e6)) Mbit/s" : "\(Int((count / 1e3).rounded())) kbit/s"
    }

    private static func words(_ one: BroadcastStatistics.Destination) -> String {
        guard one.state == .sending else { return "[\(one.kind.rawValue) \(one.state.rawValue)]" }
        var parts = [one.kind.rawValue, bits(one.bitRate), "\(NumberText.oneDecimal(one.frameRate))/s"]
        if one.queue > .milliseconds(100) { parts.append("\(milliseconds(one.queue)) ms behind") }
        if let way = one.roundTrip { parts.append("\(milliseconds(way)) ms round trip") }
        if let count = one.viewerCount { parts.append("viewers: \(count)") }
        if one.droppedFrames > 0 { parts.append("\(one.droppedFrames) dropped") }
        if one.reconnectCount > 0 { parts.append("\(one.reconnectCount) reconnects") }
        return "[\(parts.joined(separator: " "))]"
    }

    private static func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }

    /// Returns the result of the broadcast, then a line for each destination.
    static func summary(_ statistics: BroadcastStatistics) -> String {
        let head =
            "\(NumberText.oneDecimal(statistics.duration.seconds)) s, \(statistics.encodedFrames) frames"
            + (statistics.videoEncoder.map { " encoded by \($0)" } ?? "")
            + (statistics.lateFrames > 0 ? ", \(statistics.lateFrames) dropped: the encoder was too slow" : "")
            + (statistics.lateAudioBuffers > 0 ? ", \(statistics.lateAudioBuffers) audio buffers dropped" : "") + "\n"
        return statistics.destinations.reduce(head) { text, one in
            let again = one.reconnectCount > 0 ? ", \(one.reconnectCount) reconnects" : ""
            return text
                + "\(one.name): \(one.sentFrames) frames, \(NumberText.bytes(one.byteCount)), "
                + "\(one.droppedFrames) dropped\(again)\(one.state == .failed ? "; failed" : "")\n"
        }
    }
}

extension ProgressReporter {
    /// Creates the line for the current state of a broadcast.
    init(_ broadcast: BroadcastOutput, of session: CaptureSession) {
        self.init { width in
            let books = session.ledger.readers.filter { $0.output == broadcast.name && $0.mediaType == .video }
            guard let statistics = broadcast.statistics else { return "" }
            let line = BroadcastLine(
                statistics: statistics,
                dropped: books.reduce(0) { $0 + $1.frames.dropped.unwanted })
            return width.map(line.text(width:)) ?? line.text
        }
    }
}
