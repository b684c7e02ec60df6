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
    /// The sound of each device is resampled, because the clocks of the devices drift apart. The mix is delayed by
    /// about 70 ms. Sound that arrives later than that is replaced by silence, and counted in
    /// ``AudioMixerSource/missingFrameCount``. Peaks above full scale are limited without distortion; without such
    /// peaks, the mix is the exact sum. If a device is interrupted or ends, the mix continues with the other devices.
    ///
    /// - Parameters:
    ///   - sources: one or more live devices with sound, each device only once.
    ///   - format: the sample rate and the number of channels of the mix; its samples are interleaved floating point.
    /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if the devices cannot be mixed.
    public static func mixing(
        _ sources: [AudioMixerSource], format: AudioFormat = AudioFormat()
    ) throws(ObscuraError) -> CaptureDevice {
        CaptureDevice(driver: try AudioMixerDriver(sources, format: format))
    }
}
