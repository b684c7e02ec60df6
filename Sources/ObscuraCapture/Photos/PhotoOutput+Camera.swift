// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension PhotoOutput {
    /// Returns the camera for a photo.
    ///
    /// - Throws: ``ObscuraError`` if no photo can be taken.
    func camera(for settings: PhotoSettings) throws(ObscuraError) -> PhotoCamera {
        try settings.check(name)
        guard let session = connection.session else {
            throw .invalidConfiguration(
                name, "it is not in a session", "Add the output: session.configure { try $0.addOutput(output) }.")
        }
        guard session.isRunning else {
            throw ObscuraError(
                .capture, .notRunning, subject: name,
                reason: session.isPaused
                    ? "the session of the output is paused" : "the session of the output is not running",
                advice: session.isPaused ? "Resume the session first." : "Start the session first.")
        }
        guard let input = connection.input else {
            throw .invalidConfiguration(name, "the session of the output has no camera", "Add a camera to the session.")
        }
        guard connection.isEnabled else {
            throw .invalidConfiguration(
                name, "the connection of the output is disabled", "Set connection.isEnabled to true.")
        }
        if let ending = tap.ending { throw ending }
        return PhotoCamera(session: session, input: input)
    }

    /// Returns the metadata of the camera, read on a thread of the library.
    nonisolated(nonsending) func facts(of camera: PhotoCamera, _ flashFired: Bool?) async -> Metadata {
        await encoders.run {
            var facts = camera.input.device.photoMetadata()
            if let flashFired { facts.setFlash(flashFired) }
            return facts
        }
    }
}

extension Metadata {
    mutating func setFlash(_ hasFired: Bool) {
        var known = exposure ?? Exposure()
        known.flashFired = hasFired
        exposure = known
    }
}
