// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// A microphone of PipeWire, or the sound that a sink plays.
struct PipeWireSoundDriver: FoundDeviceDriver {
    let device: FoundDevice
    /// The name of its node.
    let node: String
    let finder: any DeviceFinder
    let monitor: DeviceMonitor
    let remote: PipeWireRemote
    /// For readers that request another audio format; nil if there are none.
    let converters: (any AudioConverterProvider)?

    var mediaTypes: Set<MediaType> { [.audio] }
    var formats: [VideoFormat] { [] }
    /// None: PipeWire's nodes have no files.
    var path: String? { nil }

    /// The formats, that of the node first. PipeWire converts to the others.
    var audioFormats: [AudioFormat] {
        let own = PipeWireGraph(remote).node(named: node)?.channelCount ?? 2
        let channelCounts = [own] + [1, 2].filter { $0 != own }
        return [48_000, 44_100, 32_000, 16_000, 8_000].flatMap { rate in
            channelCounts.map { AudioFormat(sampleRate: rate, channelCount: $0) }
        }
    }

    func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? {
        try converters?.makeAudioConverter(from: format, to: other)
    }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        let format = request.audioFormat ?? audioFormats.first ?? AudioFormat()
        let streams = PipeWireSoundStreams(microphone: device, node: node, requested: format, remote: remote)
        return DeviceRun(
            streams, thread: "pipewire", startsWhenAvailable: request.startsWhenAvailable,
            pausesWhileLocked: request.pausesWhileLocked, sink: sink, monitor: monitor)
    }
}
