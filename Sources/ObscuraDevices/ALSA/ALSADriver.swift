// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// A microphone: a sound card of the kernel, or libasound's `default`.
struct ALSADriver: FoundDeviceDriver {
    let device: FoundDevice
    let finder: any DeviceFinder
    let monitor: DeviceMonitor
    /// For readers that request another audio format; nil if there are none.
    let converters: (any AudioConverterProvider)?
    /// Queried once; a card's formats do not change.
    private let knownFormats = Lock<[AudioFormat]?>(nil)
    private let query: SharedQuery<[AudioFormat]?>

    /// Time limit for the response of a sound server, which libasound's `default` may be.
    private static let limit = Duration.seconds(2)

    init(
        device: FoundDevice, finder: any DeviceFinder, monitor: DeviceMonitor,
        converters: (any AudioConverterProvider)?
    ) {
        self.device = device
        self.finder = finder
        self.monitor = monitor
        self.converters = converters
        query = SharedQuery(name: "alsa-formats") {
            let path = finder.path(of: device)
            return path.flatMap { try? ALSAPCM.opened(path: $0, namesHolders: false) }.map(\.formats)
        }
    }

    var mediaTypes: Set<MediaType> { [.audio] }
    var formats: [VideoFormat] { [] }

    /// The card's formats; empty while it cannot be opened, or does not respond.
    var audioFormats: [AudioFormat] {
        if let formats = knownFormats.withLock({ $0 }) { return formats }
        guard let formats = query.answer(within: Self.limit) ?? nil else { return [] }
        knownFormats.withLock { $0 = formats }
        return formats
    }

    func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? {
        try converters?.makeAudioConverter(from: format, to: other)
    }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        let streams = ALSAStreams(microphone: device, requested: request.audioFormat, finder: finder)
        return DeviceRun(
            streams, thread: "alsa", startsWhenAvailable: request.startsWhenAvailable,
            pausesWhileLocked: request.pausesWhileLocked, sink: sink, monitor: monitor)
    }
}
