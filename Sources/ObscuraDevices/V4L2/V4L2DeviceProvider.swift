// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// A provider of the V4L2 cameras of this machine.
///
/// The name of a camera is `camera:` followed by one of these:
/// - the unique id of the camera;
/// - a device node, such as `/dev/video2`;
/// - a name of the camera in `/dev/v4l/by-id` or `/dev/v4l/by-path`.
public struct V4L2DeviceProvider: CaptureDeviceProvider {
    private let finder: CameraFinder
    private let catalog: DeviceCatalog

    /// Returns a provider of the cameras of this machine. Create only one per process, because each provider uses a
    /// thread to monitor the cameras.
    ///
    /// - Parameter decoders: the decoders for cameras with inter-coded frames (H.264).
    public static func machine(decoders: any FrameDecoderProvider) -> V4L2DeviceProvider {
        let finder = CameraFinder(probe: KernelProbe())
        let catalog = DeviceCatalog(prefix: "camera:", finder: finder) { device, monitor in
            V4L2Driver(device: device, finder: finder, monitor: monitor, decoders: decoders)
        }
        return V4L2DeviceProvider(finder: finder, catalog: catalog)
    }

    /// The connected cameras, the default camera first. Reading the property opens each device node to query it.
    public var devices: [CaptureDevice] { catalog.devices }

    /// Returns the camera with a name such as `camera:/dev/video2`; nil if the name does not begin with `camera:`, or
    /// if no camera has the name.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? { catalog.device(named: source) }

    /// Calls `tell` for each camera that is connected or disconnected, until the returned object is released.
    public func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? {
        catalog.observe(tell)
    }

    /// The diagnosis of the cameras.
    package var findings: [Diagnosis.Finding] { finder.findings }
}
