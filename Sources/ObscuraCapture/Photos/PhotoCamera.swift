// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The camera of a capture, and the session that runs it.
struct PhotoCamera: Sendable {
    let session: CaptureSession
    let input: CaptureDeviceInput

    /// The camera's mode with the most pixels, if it has more than the one that runs.
    var largerFormat: VideoFormat? {
        guard let largest = CaptureSession.Preset.photo.choose(from: input.device.formats),
            let active = session.activeFormat(of: input),
            largest.width * largest.height > active.width * active.height
        else { return nil }
        return largest
    }

    /// Whether the photo needs something of the camera to be changed first.
    ///
    /// - Parameter isBusy: whether the camera is changed by another capture at this moment, and is about to go back.
    nonisolated(nonsending) func needsPreparing(
        _ settings: PhotoSettings, isBusy: Bool, on pool: WorkerPool
    ) async -> Bool {
        if settings.size == .largest, isBusy || largerFormat != nil { return true }
        switch settings.flash {
        case .off: return false
        case .on: return true
        // Asking the camera takes time that others need not wait for.
        case .auto: return await pool.run { PhotoFlash.isPresent(on: input.device) }
        }
    }
}
