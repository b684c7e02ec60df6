// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The changes that a capture has made to its camera, and their reversal.
struct PhotoPreparation: Sendable {
    let camera: PhotoCamera
    /// The first frame that may become a photo.
    var begin: PhotoSchedule.Begin
    var flash: PhotoFlash?
    var flashFired: Bool?
    /// The mode for the photo, and the one selected before; nil if the mode did not change.
    var mode: (photo: VideoFormat, former: VideoFormat?)?
    /// The timeline before the switch to the photo's mode.
    var formerEpoch: UInt64?

    /// The number of frames in which a camera adapts its exposure after a start.
    static let settlingFrames = 2

    /// Restores the camera, unless its settings were changed meanwhile or it was removed.
    nonisolated(nonsending) func undo(on pool: WorkerPool) async -> ObscuraError? {
        if let flash { await pool.run { flash.putOut() } }
        do throws(ObscuraError) {
            if let mode { try await camera.session.configure { try Self.restore(mode, of: camera.input, &$0) } }
            return nil
        } catch {
            return error
        }
    }

    /// Restores the camera as ``undo(on:)`` does, without waiting; the session reports a failure as an
    /// event.
    func undoSoon(on pool: WorkerPool, completion: @escaping @Sendable () -> Void) {
        pool.async {
            flash?.putOut()
            guard let mode else { return completion() }
            camera.session.configureSoon({ try Self.restore(mode, of: camera.input, &$0) }) { _ in completion() }
        }
    }

    private static func restore(
        _ mode: (photo: VideoFormat, former: VideoFormat?), of input: CaptureDeviceInput,
        _ configuration: inout CaptureSession.Configuration
    ) throws(ObscuraError) {
        guard configuration.inputs.contains(input), configuration.graph.chosenFormat(of: input) == mode.photo else {
            return
        }
        try configuration.setFormat(mode.former, for: input)
    }
}
