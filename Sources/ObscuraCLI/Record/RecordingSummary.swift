// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The result of a recording, in one sentence.
struct RecordingSummary {
    /// The drift from which on it is mentioned, in parts per million: more than that of a usual sound card.
    private static let notableDrift = 100

    let text: String

    /// - Parameter isCopy: whether the frames were copied.
    init(_ result: RecordingResult, parts: [RecordingEvent], ledger: SessionLedger, isCopy: Bool) {
        let reports = parts.compactMap { if case .finishedPart(let report) = $0 { report } else { nil } }
        let all = reports + (result.report.map { [$0] } ?? [])
        let frames = all.reduce(0) { $0 + $1.videoFrameCount }
        let bytes = all.reduce(0) { $0 + $1.byteCount }
        let dropped = ledger.readers.reduce(0) { $0 + $1.frames.dropped.unwanted }
        let gaps = ledger.inputs.reduce(0) { $0 + $1.gaps }
        var words = [
            "\(NumberText.oneDecimal(result.duration.seconds)) s", "\(frames) frame\(frames == 1 ? "" : "s")",
            gaps > 0 ? "\(dropped) dropped, \(gaps) lost by the camera" : "\(dropped) dropped",
            all.count > 1
                ? "\(NumberText.bytes(bytes)) in \(all.count) parts, the last one \(all.last?.path ?? result.path)"
                : "\(NumberText.bytes(bytes)) to \(result.path)",
        ]
        let encoders = [result.report?.videoEncoder, result.report?.audioEncoder].compactMap(\.self)
        if let drift = result.report?.audioDrift.map({ Int($0.rounded()) }), abs(drift) >= Self.notableDrift {
            words.append("audio clock \(abs(drift)) ppm \(drift > 0 ? "fast" : "slow"), corrected")
        }
        if all.contains(where: \.isFragmented) {
            words.append("left in fragments (playable): too little disk space to rewrite the file")
        }
        if let report = result.report, isCopy {
            let audio = report.audioEncoder.map { ", audio encoded by \($0)" } ?? ""
            words.append("copied without encoding\(audio)")
            if let longest = result.keyFrameWaits.map(\.duration).max(), longest >= .milliseconds(500) {
                let seconds = NumberText.oneDecimal(MediaTime(longest).seconds)
                words.append("waited up to \(seconds) s for a key frame")
            }
        } else if !encoders.isEmpty {
            words.append("encoded by " + encoders.joined(separator: " and "))
        }
        text = words.joined(separator: ", ") + Self.why(result.reason)
    }

    private static func why(_ reason: RecordingResult.Reason) -> String {
        switch reason {
        case .maximumDuration: "; the maximum duration was reached"
        case .maximumFileSize: "; the maximum size was reached"
        default: ""
        }
    }
}

extension DropCounts {
    /// Dropped frames that belonged to the recording, without those after its end.
    var unwanted: UInt64 { total - self[.stopped] - self[.discontinuity] }
}
