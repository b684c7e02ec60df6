// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// A camera of the kernel.
struct V4L2Driver: FoundDeviceDriver {
    let device: FoundDevice
    let finder: any DeviceFinder
    let monitor: DeviceMonitor
    /// For inter-coded frames.
    let decoders: any FrameDecoderProvider
    /// Queried once if they do not change.
    private let modes = Lock<V4L2Modes?>(nil)

    init(
        device: FoundDevice, finder: any DeviceFinder, monitor: DeviceMonitor, decoders: any FrameDecoderProvider
    ) {
        self.device = device
        self.finder = finder
        self.monitor = monitor
        self.decoders = decoders
    }

    /// The modes of the camera; empty while it cannot be opened, or is a loopback device without a writer.
    var formats: [VideoFormat] { knownModes?.all.map(\.format) ?? [] }

    /// Whether the mode is listed, or within a range of the driver. While no modes are known, every mode counts as
    /// supported.
    func supports(_ format: VideoFormat) -> Bool {
        guard let modes = knownModes, !modes.all.isEmpty else { return true }
        return modes.mode(for: format) != nil
    }

    private var knownModes: V4L2Modes? {
        modes.withLock { modes in
            if let modes { return modes }
            // The camera may have got another node since it was found.
            let path = finder.path(of: device)
            let found = path.flatMap { try? V4L2Device(path: $0, namesHolders: false) }.map(V4L2Modes.init(of:))
            if found?.areFixed == true { modes = found }
            return found
        }
    }

    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? {
        try decoders.makeDecoder(for: format)
    }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        let streams = V4L2Streams(camera: device, requested: request.videoFormat, finder: finder)
        return DeviceRun(
            streams, thread: "v4l2", startsWhenAvailable: request.startsWhenAvailable,
            pausesWhileLocked: request.pausesWhileLocked, sink: sink, monitor: monitor)
    }

    func openControls() throws(ObscuraError) -> any DeviceControls {
        V4L2Controls(camera: device.name, port: try V4L2Device(path: try finder.currentPath(of: device)))
    }
}
