// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

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
    nonisolated(nonsending) func undo(on pool: WorkerPool) async -> CaptureError? {
        if let flash { await pool.run { flash.putOut() } }
        do throws(CaptureError) {
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
    ) throws(CaptureError) {
        guard configuration.inputs.contains(input), configuration.graph.chosenFormat(of: input) == mode.photo else {
            return
        }
        try configuration.setFormat(mode.former, for: input)
    }
}

extension PhotoOutput {
    /// Brings the camera into the mode, and under the light, that the photo asks for.
    ///
    /// - Throws: ``CaptureError``; then everything is as it was.
    nonisolated(nonsending) func prepare(
        _ settings: PhotoSettings, _ camera: PhotoCamera, _ pressedAt: HostTime
    ) async throws(CaptureError) -> PhotoPreparation {
        var preparation = PhotoPreparation(camera: camera, begin: .onScreen(pressedAt))
        if settings.size == .largest, let largest = camera.largerFormat {
            preparation.formerEpoch = tap.last?.epoch
            let former = Lock<VideoFormat?>(nil)
            try await camera.session.configure { configuration in
                former.withLock { $0 = configuration.graph.chosenFormat(of: camera.input) }
                try configuration.setFormat(largest, for: camera.input)
            }
            preparation.mode = (largest, former.withLock { $0 })
            preparation.begin = .fresh(
                after: nil, leaving: preparation.formerEpoch, letting: PhotoPreparation.settlingFrames)
        }
        do throws(CaptureError) {
            try await light(settings.flash, &preparation)
        } catch {
            _ = await preparation.undo(on: encoders)
            throw error
        }
        return preparation
    }

    nonisolated(nonsending) private func light(
        _ flash: PhotoSettings.Flash, _ preparation: inout PhotoPreparation
    ) async throws(CaptureError) {
        guard flash != .off else { return }
        let device = preparation.camera.input.device
        if flash == .auto {
            guard await encoders.run({ PhotoFlash.isPresent(on: device) }) else { return }
            let seen = try await frame(PhotoSchedule(preparation.begin))
            let isDark = await encoders.run { (try? seen.frame.pixels()).map { PhotoFlash.isDark($0.buffer) } ?? false }
            guard isDark else {
                preparation.flashFired = false
                return
            }
        }
        let lit = try await encoders.run {
            Result { () throws(CaptureError) in try PhotoFlash(of: device) }
        }.get()
        preparation.flash = lit
        preparation.flashFired = true
        preparation.begin = .fresh(
            after: lit.moment, leaving: preparation.formerEpoch,
            letting: lit.isStrobe ? 0 : PhotoFlash.settlingFrames)
    }

    /// A photo for which the camera must be changed, and then changed back.
    nonisolated(nonsending) func capturePrepared(
        _ settings: PhotoSettings, _ camera: PhotoCamera, _ pressedAt: HostTime
    ) async throws(CaptureError) -> Photo {
        let preparation = try await prepare(settings, camera, pressedAt)
        let kept: KeptFrame
        do throws(CaptureError) {
            kept = try await frame(PhotoSchedule(preparation.begin))
        } catch {
            _ = await preparation.undo(on: encoders)
            throw error
        }
        // Back first: the others wait for it, the photo can.
        let failure = await preparation.undo(on: encoders)
        var photo = try await make(kept, settings, camera, flashFired: preparation.flashFired)
        guard var modeSwitch = modeSwitch(of: preparation) else { return photo }
        modeSwitch.returnFailure = failure
        let epoch = kept.frame.epoch
        if failure == nil, (try? await frame(PhotoSchedule(.fresh(after: nil, leaving: epoch, letting: 0)))) != nil {
            modeSwitch.gapAfter = tap.gap(after: epoch)
        }
        photo.modeSwitch = modeSwitch
        return photo
    }

    /// Nil where the mode is as it was.
    func modeSwitch(of preparation: PhotoPreparation) -> Photo.ModeSwitch? {
        preparation.mode.map { mode in
            Photo.ModeSwitch(format: mode.photo, gapBefore: preparation.formerEpoch.flatMap(tap.gap(after:)))
        }
    }
}
