// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraBase

/// Keeps what a photo output reports.
final class PhotoRecord: NSObject, AVCapturePhotoCaptureDelegate {
    struct Report: Sendable {
        /// The callbacks in their order.
        var events: [String] = []
        var settings: [AVCaptureResolvedPhotoSettings] = []
        var photos: [AVCapturePhoto] = []
        var errors: [AVError?] = []
    }

    private let report = Lock(Report())

    var now: Report { report.withLock { $0 } }
    /// Whether a number of captures have ended.
    func hasEnded(_ count: Int = 1) -> Bool { now.errors.count >= count }

    private func note(_ event: String, _ settings: AVCaptureResolvedPhotoSettings) {
        report.withLock { report in
            report.events.append(event)
            report.settings.append(settings)
        }
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) { note("begin", resolvedSettings) }

    func photoOutput(
        _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) { note("expose", resolvedSettings) }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) { note("exposed", resolvedSettings) }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) {
        note("photo", photo.resolvedSettings)
        guard error == nil else { return }
        report.withLock { $0.photos.append(photo) }
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?
    ) {
        note("end", resolvedSettings)
        report.withLock { $0.errors.append(error as? AVError) }
    }
}
