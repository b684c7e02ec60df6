// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The camera of a capture, and the session that runs it.
struct PhotoCamera: Sendable {
    let session: CaptureSession
    let input: CaptureDeviceInput

    /// The camera's mode with the most pixels, if that is more than the current mode has.
    var largerFormat: VideoFormat? {
        guard let largest = CaptureSession.Preset.photo.choose(from: input.device.formats),
            let active = session.activeFormat(of: input),
            largest.width * largest.height > active.width * active.height
        else { return nil }
        return largest
    }

    /// Whether the camera must be changed before the photo.
    ///
    /// - Parameter isBusy: whether another capture has changed the camera at this moment, and will restore
    ///   it.
    nonisolated(nonsending) func needsPreparing(
        _ settings: PhotoSettings, isBusy: Bool, on pool: WorkerPool
    ) async -> Bool {
        if settings.size == .largest, isBusy || largerFormat != nil { return true }
        switch settings.flash {
        case .off: return false
        case .on: return true
        // Reading from the camera takes time and must not block other captures.
        case .auto: return await pool.run { PhotoFlash.isPresent(on: input.device) }
        }
    }
}
