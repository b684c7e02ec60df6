// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension CaptureDevice {
    /// The make and the model of a camera; empty for a file and for the test pattern.
    package var cameraMetadata: Metadata {
        var metadata = Metadata()
        metadata.make = manufacturer
        // The name of a file or a pattern is not a camera model.
        if modelID != nil || deviceType != .virtual { metadata.model = localizedName }
        return metadata
    }

    /// Returns the metadata of the camera and its current exposure. Blocks while the device is read.
    ///
    /// Values that an automatic control determines are omitted, since the device returns the last manual value instead.
    func photoMetadata() -> Metadata {
        var metadata = cameraMetadata
        guard let source = try? driver.openControls() else { return metadata }
        do throws(ObscuraError) {
            let configuration = try DeviceConfiguration(of: localizedName, by: source)
            metadata.exposure = configuration.photoExposure
        } catch {
            // A camera that does not respond only leaves the metadata empty; the photo is still
            // valid.
        }
        return metadata
    }
}

extension DeviceConfiguration {
    /// The current exposure; nil if no value is known.
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
