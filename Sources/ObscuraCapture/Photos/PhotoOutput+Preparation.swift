// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

extension PhotoOutput {
    /// Sets the mode and the light that the photo requires.
    ///
    /// - Throws: ``ObscuraError``; then the camera is as it was before.
    nonisolated(nonsending) func prepare(
        _ settings: PhotoSettings, _ camera: PhotoCamera, _ pressedAt: HostTime
    ) async throws(ObscuraError) -> PhotoPreparation {
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
        do throws(ObscuraError) {
            try await light(settings.flash, &preparation)
        } catch {
            _ = await preparation.undo(on: encoders)
            throw error
        }
        return preparation
    }

    nonisolated(nonsending) private func light(
        _ flash: PhotoSettings.Flash, _ preparation: inout PhotoPreparation
    ) async throws(ObscuraError) {
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
            Result { () throws(ObscuraError) in try PhotoFlash(of: device) }
        }.get()
        preparation.flash = lit
        preparation.flashFired = true
        preparation.begin = .fresh(
            after: lit.moment, leaving: preparation.formerEpoch,
            letting: lit.isStrobe ? 0 : PhotoFlash.settlingFrames)
    }

    /// Takes a photo for which the camera must be changed, and then restored.
    nonisolated(nonsending) func capturePrepared(
        _ settings: PhotoSettings, _ camera: PhotoCamera, _ pressedAt: HostTime
    ) async throws(ObscuraError) -> Photo {
        let preparation = try await prepare(settings, camera, pressedAt)
        let kept: KeptFrame
        do throws(ObscuraError) {
            kept = try await frame(PhotoSchedule(preparation.begin))
        } catch {
            _ = await preparation.undo(on: encoders)
            throw error
        }
        // The camera is restored before the photo is made, since other captures wait for it.
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

    /// Returns the switch of the camera's mode; nil if the mode did not change.
    func modeSwitch(of preparation: PhotoPreparation) -> Photo.ModeSwitch? {
        preparation.mode.map { mode in
            Photo.ModeSwitch(format: mode.photo, gapBefore: preparation.formerEpoch.flatMap(tap.gap(after:)))
        }
    }
}
