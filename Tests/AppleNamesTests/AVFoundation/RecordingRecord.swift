// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraBase

/// Keeps what a movie output reports.
final class RecordingRecord: NSObject, AVCaptureFileOutputRecordingDelegate {
    struct Report: Sendable {
        var events: [String] = []
        var urls: [URL] = []
        var connections: [[AVCaptureConnection]] = []
        var error: AVError?
        var hasEnded = false
    }

    private let report = Lock(Report())

    var now: Report { report.withLock { $0 } }

    private func note(_ event: String, _ url: URL, _ connections: [AVCaptureConnection]) {
        report.withLock { report in
            report.events.append(event)
            report.urls.append(url)
            report.connections.append(connections)
        }
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) { note("started", fileURL, connections) }

    func fileOutput(
        _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) { note("paused", fileURL, connections) }

    func fileOutput(
        _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) { note("resumed", fileURL, connections) }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        note("finished", outputFileURL, connections)
        report.withLock { report in
            report.error = error as? AVError
            report.hasEnded = true
        }
    }
}
