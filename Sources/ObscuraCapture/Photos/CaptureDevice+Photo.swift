// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension CaptureDevice {
    /// What the camera says of itself and of its exposure at this moment. Blocks while it is asked.
    ///
    /// What an automatic control governs is left out: what can be read then is what was set before.
    func photoMetadata() -> Metadata {
        var metadata = Metadata()
        metadata.make = manufacturer
        // A file or a pattern has a name, and is no model of a camera.
        if modelID != nil || deviceType != .virtual { metadata.model = localizedName }
        guard let source = try? driver.openControls() else { return metadata }
        do throws(ObscuraError) {
            let configuration = try DeviceConfiguration(of: localizedName, by: source)
            metadata.exposure = configuration.photoExposure
        } catch {
            // A camera that does not answer says nothing, and the photo is there.
        }
        return metadata
    }
}

extension DeviceConfiguration {
    /// Nil where nothing is known.
    fileprivate var photoExposure: Metadata.Exposure? {
        var exposure = Metadata.Exposure()
        exposure.duration = known(exposureDuration)?.seconds
        exposure.iso = known(iso).map { Int($0.rounded()) }
        exposure.bias = known(exposureTargetBias)
        if settable(.lightMode) != nil { exposure.flashFired = false }
        return exposure == Metadata.Exposure() ? nil : exposure
    }

    private func known<Value>(_ setting: ControlRange<Value>) -> Value? {
        setting.isInactive ? nil : setting.value
    }
}
