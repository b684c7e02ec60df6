// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
package import ObscuraCapture
package import ObscuraMedia

/// A camera of the kernel.
package struct V4L2Driver: CaptureDriver {
    private let camera: FoundCamera
    private let finder: CameraFinder
    private let monitor: CameraMonitor
    private let decoders: any FrameDecoderProvider
    /// Asked for once; a camera's modes stay the same.
    private let modes = Lock<V4L2Modes?>(nil)

    /// - Parameters:
    ///   - camera: what it runs.
    ///   - finder: finds the camera again when it was unplugged.
    ///   - monitor: tells when to look.
    ///   - decoders: for frames that refer to others.
    package init(
        camera: FoundCamera, finder: CameraFinder, monitor: CameraMonitor, decoders: any FrameDecoderProvider
    ) {
        self.camera = camera
        self.finder = finder
        self.monitor = monitor
        self.decoders = decoders
    }

    package var uniqueID: String { camera.uniqueID }
    package var localizedName: String { camera.name }
    package var modelID: String? { camera.modelID }
    package var manufacturer: String? { camera.manufacturer }
    package var path: String? { camera.path }
    package var deviceType: CaptureDevice.DeviceType { camera.deviceType }
    package var position: CaptureDevice.Position { camera.position }
    package var authorizationStatus: AuthorizationStatus { camera.authorization }
    package var accessRemedy: Remedy? { camera.accessRemedy }

    /// The modes of the camera; empty while it cannot be opened.
    package var formats: [VideoFormat] { knownModes?.all.map(\.format) ?? [] }

    /// Whether the mode is listed, or lies within a range of the driver's. Of a camera that cannot be opened
    /// nothing is known, and nothing is refused yet.
    package func supports(_ format: VideoFormat) -> Bool { knownModes.map { $0.mode(for: format) != nil } ?? true }

    private var knownModes: V4L2Modes? {
        modes.withLock { modes in
            if modes == nil { modes = (try? V4L2Device(path: camera.path)).map(V4L2Modes.init(of:)) }
            return modes
        }
    }

    package func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? {
        try decoders.makeDecoder(for: format)
    }

    package func makeRun(
        _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
    ) -> any CaptureRun {
        let streams = V4L2Streams(camera: camera, wanted: request.videoFormat, finder: finder)
        return DeviceRun(
            streams, thread: "v4l2", startsWhenAvailable: request.startsWhenAvailable, sink: sink,
            watch: { [monitor] in monitor.watch() })
    }

    package func openControls() throws(ObscuraError) -> any DeviceControls {
        // It may have another node than when it was found.
        guard let path = finder.path(of: camera) else { throw .system(ENODEV, camera.path, "") }
        return V4L2Controls(camera: camera.name, port: try V4L2Device(path: path))
    }
}
