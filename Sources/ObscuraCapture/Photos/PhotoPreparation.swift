// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// What a capture has changed of its camera, and how that is undone.
struct PhotoPreparation: Sendable {
    let camera: PhotoCamera
    /// Which frame is the first that may be a photo.
    var begin: PhotoSchedule.Begin
    var flash: PhotoFlash?
    var flashFired: Bool?
    /// The mode for the photo, and the one that had been chosen before; nil where the mode is as it was.
    var mode: (photo: VideoFormat, former: VideoFormat?)?
    /// The timeline that was left for the photo's mode.
    var formerEpoch: UInt64?

    /// Frames in which a camera that has just begun finds its exposure.
    static let settlingFrames = 2

    /// Has the camera as it was, unless somebody has changed it meanwhile, or taken it away.
    nonisolated(nonsending) func undo(on pool: WorkerPool) async -> ObscuraError? {
        if let flash { await pool.run { flash.putOut() } }
        do throws(ObscuraError) {
            if let mode { try await camera.session.configure { try Self.restore(mode, of: camera.input, &$0) } }
            return nil
        } catch {
            return error
        }
    }

    /// As ``undo(on:)``, without waiting; a refusal is announced by the session.
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
