// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// A camera of PipeWire.
struct PipeWireDriver: FoundDeviceDriver {
    let device: FoundDevice
    /// The name of its node.
    let node: String
    let finder: any DeviceFinder
    let monitor: DeviceMonitor
    let remote: PipeWireRemote
    /// For inter-coded frames.
    let decoders: any FrameDecoderProvider
    /// Queried once for hardware; the modes of a program or a loopback device change.
    private let modes = Lock<PipeWireModes?>(nil)

    init(
        device: FoundDevice, node: String, finder: any DeviceFinder, monitor: DeviceMonitor, remote: PipeWireRemote,
        decoders: any FrameDecoderProvider
    ) {
        self.device = device
        self.node = node
        self.finder = finder
        self.monitor = monitor
        self.remote = remote
        self.decoders = decoders
    }

    /// The node of the kernel, if the kernel has the camera too.
    var path: String? { device.path.hasPrefix("/") ? device.path : nil }

    /// The modes of the camera; empty while it is disconnected.
    var formats: [VideoFormat] { knownModes?.all.map(\.format) ?? [] }

    /// Whether the mode is listed, or within a range of the node. While no modes are known, every mode counts as
    /// supported.
    func supports(_ format: VideoFormat) -> Bool {
        guard let modes = knownModes, !modes.all.isEmpty else { return true }
        return modes.mode(for: format) != nil
    }

    private var knownModes: PipeWireModes? {
        modes.withLock { modes in
            if let modes { return modes }
            guard let objects = try? PipeWireGraph(remote).objects(),
                let node = objects.nodes.first(where: { $0.isCamera && $0.name == node })
            else { return nil }
            let found = PipeWireModes(objects.offers(of: node))
            if device.deviceType != .virtual, !found.all.isEmpty { modes = found }
            return found
        }
    }

    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? {
        try decoders.makeDecoder(for: format)
    }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        let streams = PipeWireStreams(camera: device, node: node, requested: request.videoFormat, remote: remote)
        return DeviceRun(
            streams, thread: "pipewire", startsWhenAvailable: request.startsWhenAvailable,
            pausesWhileLocked: request.pausesWhileLocked, sink: sink, monitor: monitor)
    }
}
