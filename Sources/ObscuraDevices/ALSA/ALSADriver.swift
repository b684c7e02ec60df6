// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
package import ObscuraCapture
package import ObscuraMedia

/// A microphone: a sound card of the kernel, or what libasound calls `default`.
package struct ALSADriver: CaptureDriver {
    private let microphone: FoundMicrophone
    private let finder: SoundFinder
    private let monitor: DeviceMonitor<SoundFinder>
    private let converters: (any AudioConverterProvider)?
    /// Asked for once; a card's formats stay the same.
    private let known = Lock<[AudioFormat]?>(nil)

    /// - Parameters:
    ///   - microphone: what it runs.
    ///   - finder: finds the microphone again when it was unplugged.
    ///   - monitor: tells when to look.
    ///   - converters: for readers that want another format; nil gives them none.
    package init(
        microphone: FoundMicrophone, finder: SoundFinder, monitor: DeviceMonitor<SoundFinder>,
        converters: (any AudioConverterProvider)?
    ) {
        self.microphone = microphone
        self.finder = finder
        self.monitor = monitor
        self.converters = converters
    }

    package var uniqueID: String { microphone.uniqueID }
    package var localizedName: String { microphone.name }
    package var modelID: String? { microphone.modelID }
    package var path: String? { microphone.isSystemDefault ? nil : microphone.path }
    package var deviceType: CaptureDevice.DeviceType { microphone.deviceType }
    package var mediaTypes: Set<MediaType> { [.audio] }
    package var authorizationStatus: AuthorizationStatus { microphone.authorization }
    package var accessRemedy: Remedy? { microphone.accessRemedy }
    package var formats: [VideoFormat] { [] }

    /// What the card gives; empty while it cannot be opened.
    package var audioFormats: [AudioFormat] {
        known.withLock { known in
            if known == nil {
                let path = finder.path(of: microphone)
                known = path.flatMap { try? ALSAPCM.opened(path: $0, namesHolders: false) }.map(\.formats)
            }
            return known ?? []
        }
    }

    package func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? {
        try converters?.makeAudioConverter(from: format, to: other)
    }

    package func makeRun(
        _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        let streams = ALSAStreams(microphone: microphone, wanted: request.audioFormat, finder: finder)
        return DeviceRun(
            streams, thread: "alsa", startsWhenAvailable: request.startsWhenAvailable, sink: sink,
            watch: { [monitor] in monitor.watch() })
    }
}
