// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia
public import ObscuraMovies

extension CaptureDevice {
    /// Returns a microphone whose sound is the mix of several microphones, for one input of a session.
    ///
    ///     let speaker = AudioMixerSource(try CaptureDevice.named("microphone:hw:1,0"))
    ///     let room = AudioMixerSource(try CaptureDevice.named("microphone:hw:2,0"), gain: 0.3)
    ///     let input = try CaptureDeviceInput(device: .mixing([speaker, room]))
    ///     // … while it runs:
    ///     speaker.gain = 1.5
    ///
    /// The clocks of the devices drift apart; each is resampled to keep to its times. The mix lags by about 70 ms, within
    /// which the devices must deliver; what comes later is silent in the mix (``AudioMixerSource/missingFrameCount``).
    /// Peaks above full scale are limited without distortion; a mix without them is the exact sum. A device that is
    /// interrupted or ends is silent, while the others continue.
    ///
    /// - Parameters:
    ///   - sources: at least one live device with sound; no device twice.
    ///   - format: the sample rate and the number of channels of the mix; its samples are interleaved floating point.
    /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if the devices cannot be mixed.
    public static func mixing(
        _ sources: [AudioMixerSource], format: AudioFormat = AudioFormat()
    ) throws(ObscuraError) -> CaptureDevice {
        CaptureDevice(driver: try AudioMixerDriver(sources, format: format))
    }
}
