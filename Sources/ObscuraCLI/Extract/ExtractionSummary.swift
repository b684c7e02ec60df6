// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// The summary at the end of a run, as text.
struct ExtractionSummary {
    let text: String

    init(_ report: FrameExport.Report, output: String, isInterrupted: Bool) {
        let written = report.written
        var parts = [
            "\(written.frames) frame\(written.frames == 1 ? "" : "s") in \(Self.seconds(report.elapsed))",
            "\(NumberText.oneDecimal(report.rate)) a second",
        ]
        let gaps = (report.input?.gaps ?? 0) + (report.input?.lost ?? 0)
        parts.append("\(report.dropped) dropped" + (gaps > 0 ? " and \(gaps) lost by the device" : ""))
        if let size = written.size, let format = written.pixelFormat { parts.append("\(size) \(format.rawValue)") }
        parts.append("\(NumberText.bytes(written.bytes)) to \(output == "-" ? "standard output" : output)")
        text = (isInterrupted ? "interrupted: " : "") + parts.joined(separator: ", ")
    }

    private static func seconds(_ duration: Duration) -> String {
        let hundredths = duration.wholeNanoseconds / 10_000_000
        return "\(hundredths / 100).\((hundredths % 100).zeroPadded(to: 2)) s"
    }
}
