// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// A microphone that delivers the mix of several microphones, each with a gain for each channel.
///
/// Each device is resampled to correct its clock drift. The mix is delayed by about 70 ms; samples that arrive later
/// than this are missing in the mix (``AudioMixerSource/missingFrameCount``). A limiter with a look-ahead of 5 ms
/// reduces peaks above full scale. Without such peaks, the mix is the exact sum. If a device is interrupted or ends,
/// the other devices continue.
public struct AudioMixerDriver: CaptureDriver {
    /// The unique id: `mixer:` followed by the name.
    public let uniqueID: String
    /// The display name.
    public let localizedName: String
    /// The format of the mix; its sample type is floating point.
    public let format: AudioFormat
    private let sources: [AudioMixerSource]

    /// Creates a mixer.
    ///
    /// - Parameters:
    ///   - sources: at least one live device with sound; no device twice.
    ///   - format: the sample rate and the number of channels of the mix, interleaved. In a stereo mix, a mono device
    ///     is on both channels, with the same loudness.
    ///   - name: the last part of the unique id.
    /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if the devices cannot be mixed.
    public init(
        _ sources: [AudioMixerSource], format: AudioFormat = AudioFormat(), name: String = "mixer"
    ) throws(ObscuraError) {
        func refuse(_ reason: String, _ advice: String) -> ObscuraError {
            ObscuraError(.capture, .invalidConfiguration, subject: name, reason: reason, advice: advice)
        }
        guard !sources.isEmpty else { throw refuse("it has no sources", "Give it a microphone.") }
        guard Set(sources.map(\.device.uniqueID)).count == sources.count else {
            throw refuse("a device is listed more than once", "Add each device only once, and set its gain.")
        }
        for source in sources {
            let device = source.device
            guard device.mediaTypes.contains(.audio) else {
                throw refuse("\(device.localizedName) delivers no audio", "Add only devices that deliver audio.")
            }
            guard device.driver.isLive else {
                throw refuse(
                    "\(device.localizedName) is not live, so its sound cannot be synchronized with other sources",
                    "Read the movie at normal speed.")
            }
        }
        self.sources = sources
        self.format = AudioFormat(
            sampleType: .float32, sampleRate: format.sampleRate, channelCount: format.channelCount)
        uniqueID = "mixer:\(name)"
        localizedName = "Mix of " + sources.map(\.device.localizedName).joined(separator: " and ")
    }

    /// The media types: audio only.
    public var mediaTypes: Set<MediaType> { [.audio] }
    /// The video modes: none.
    public var formats: [VideoFormat] { [] }
    /// The format of the mix.
    public var audioFormats: [AudioFormat] { [format] }

    /// The most restrictive authorization status of the devices; `authorized` if permission is granted for all devices.
    public var authorizationStatus: AuthorizationStatus {
        let all = sources.map(\.device.authorizationStatus)
        return [.restricted, .denied, .notDetermined].first(where: all.contains) ?? .authorized
    }

    /// The reason why permission is missing, for the first device whose status is ``authorizationStatus``.
    public var accessReason: AccessReason? {
        sources.map(\.device).first { $0.authorizationStatus == authorizationStatus }?.accessReason
    }

    /// Requests the missing permissions, one device after the other, until one is denied. Returns whether permission is
    /// granted for all devices.
    public func requestAccess() async -> Bool {
        for source in sources where source.device.authorizationStatus == .notDetermined {
            guard await source.device.driver.requestAccess() else { return false }
        }
        return authorizationStatus == .authorized
    }

    /// Returns a converter that uses libswresample.
    public func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? {
        try FFmpegConverters().makeAudioConverter(from: format, to: other)
    }

    /// Creates a run of all devices.
    public func makeRun(
        _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        MixerRun(sources, format: format, name: localizedName, request: request, sink: sink, clock: clock)
    }
}
